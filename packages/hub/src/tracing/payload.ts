import type { Decoded } from "@signalbox/protocol";
import type { TimelineEvent } from "@signalbox/timeline";
import { redactSecrets } from "../logging/redact.ts";

/** A longer line is cut, so that no span grows without limit. */
const MAX_CHARACTERS = 8 * 1024;

/** The raw and the normalized form of a line, without secrets, as the two events of a span. */
export function createPayloads(decoded: Decoded, event: TimelineEvent | undefined) {
  const raw = { name: "raw", attributes: { line: toText(decoded.raw) } };
  if (!event) return [raw];
  const { type } = event;
  return [raw, { name: "normalized", attributes: { type, event: toText(JSON.stringify(event)) } }];
}

function toText(text: string): string {
  const redacted = redactSecrets(text);
  const rest = redacted.length - MAX_CHARACTERS;
  return rest > 0 ? `${redacted.slice(0, MAX_CHARACTERS)}… (${rest} more characters)` : redacted;
}
