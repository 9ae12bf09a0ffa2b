import { isObject } from "@signalbox/protocol/wire";
import type { StoredMessage } from "../agent.ts";

/**
 * Adds the messages that a compaction kept verbatim to the branch that begins with it. They are
 * stored before its boundary and belong after the summary.
 */
export function restorePreservedMessages(
  branch: readonly StoredMessage[],
  messages: ReadonlyMap<string, StoredMessage>,
): StoredMessage[] {
  const { anchor, uuids } = readPreservedMessages(branch[0]);
  const known = new Set(branch.map(({ uuid }) => uuid));
  const preservedMessages = uuids
    .filter((uuid) => !known.has(uuid))
    .flatMap((uuid) => messages.get(uuid) ?? []);
  return branch.flatMap((message) =>
    message.uuid === anchor ? [message, ...preservedMessages.map(withoutUsage)] : [message],
  );
}

function readPreservedMessages(boundary: StoredMessage | undefined): {
  anchor?: unknown;
  uuids: string[];
} {
  const facts = boundary && toTranscriptBoundary(boundary)["compactMetadata"];
  const preserved = isObject(facts) ? facts["preservedMessages"] : undefined;
  if (!isObject(preserved) || !Array.isArray(preserved["uuids"])) return { uuids: [] };
  const uuids = preserved["uuids"].filter((uuid) => typeof uuid === "string");
  return { anchor: preserved["anchorUuid"], uuids };
}

/** Converts a boundary to the spelling of transcripts, which differs from the one sent to hosts. */
export function toTranscriptBoundary(boundary: StoredMessage): StoredMessage {
  const { compact_metadata: compactDetails, logical_parent_uuid: _, ...rest } = boundary;
  return compactDetails === undefined
    ? boundary
    : { ...rest, compactMetadata: inCamelCase(compactDetails) };
}

function inCamelCase(value: unknown): unknown {
  if (!isObject(value)) return value;
  const camel = (name: string) =>
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camel(name), inCamelCase(inner)]),
  );
}

/** Removes the usage. What was used before the compaction does not apply to the window after it. */
function withoutUsage(message: StoredMessage): StoredMessage {
  if (!message.message) return message;
  const { usage: _, ...messageFields } = message.message;
  return { ...message, message: messageFields };
}
