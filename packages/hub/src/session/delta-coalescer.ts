import type { Decoded, Message } from "@signalbox/protocol";
import { parseTextDelta } from "@signalbox/protocol/wire";
import type { ReceivedLine } from "../link/received-line.ts";

interface Delta {
  readonly type: string;
  text?: string;
  thinking?: string;
}
type FirstDelta = {
  readonly line: ReceivedLine;
  readonly message: Message<"stream_event">;
  readonly template: LineTemplate;
};

/** The part of a delta line around its text. All delta lines of one text share it, except for the uuid. */
interface LineTemplate {
  readonly head: string;
  readonly tail: string;
  readonly uuidLength: number;
  readonly end: string;
}

/** The characters that end a JSON string, or that it may hold only escaped. */
// oxlint-disable-next-line no-control-regex
const needsEscaping = /["\\\u0000-\u001f]/;

/**
 * Joins consecutive deltas of one text so that they are processed as one, as if the agent had written one
 * longer delta. Deltas are not stored one by one, so only their sum matters.
 */
export class DeltaCoalescer {
  #first: FirstDelta | undefined;
  #rest = "";

  /** Adds a line. Returns false unless it is a delta that continues the ones before, or the first. */
  add(received: ReceivedLine): boolean {
    const { from, line } = received;
    if (from !== "agent" || typeof line !== "string") return false;
    if (this.#first) {
      const text = extractText(line, this.#first.template);
      this.#rest += text ?? "";
      return text !== undefined;
    }
    const message = parseTextDelta(line) as Message<"stream_event"> | undefined;
    if (!message) return false;
    this.#first = { line: received, message, template: createTemplate(line, message) };
    return true;
  }

  /** All added deltas as one line; undefined: there are none. */
  flush(): { received: ReceivedLine; decoded: Decoded } | undefined {
    const first = this.#first;
    if (!first) return undefined;
    const { line: received, message } = first;
    const { delta } = message.event as unknown as { delta: Delta };
    if (delta.text === undefined) delta.thinking += this.#rest;
    else delta.text += this.#rest;
    this.#first = undefined;
    this.#rest = "";
    const raw = typeof received.line === "string" ? received.line : received.line.text;
    return { received, decoded: { kind: "known", message, raw } };
  }
}

function createTemplate(line: string, message: Message<"stream_event">): LineTemplate {
  const { delta } = message.event as unknown as { delta: Delta };
  const text = delta.text ?? delta.thinking ?? "";
  const uuid = message.uuid ?? "";
  const mark = '":"';
  const begin = line.indexOf(mark, line.indexOf('"delta":{"type":"') + 17) + mark.length;
  const at = line.indexOf(`"uuid":"${uuid}"`) + '"uuid":"'.length;
  return {
    head: line.slice(0, begin),
    tail: line.slice(begin + text.length, at),
    uuidLength: uuid.length,
    end: line.slice(at + uuid.length),
  };
}

/**
 * The text of a delta line that equals the first line in all but the text and the uuid. The shared part was
 * parsed as JSON once, so only the rest needs to be checked.
 */
function extractText(
  line: string,
  { head, tail, uuidLength, end }: LineTemplate,
): string | undefined {
  const uuid = line.length - end.length - uuidLength;
  const close = uuid - tail.length;
  if (close < head.length || !line.startsWith(head)) return undefined;
  if (!line.startsWith(tail, close) || !line.endsWith(end)) return undefined;
  const text = line.slice(head.length, close);
  if (needsEscaping.test(text) || needsEscaping.test(line.slice(uuid, uuid + uuidLength)))
    return undefined;
  return text;
}
