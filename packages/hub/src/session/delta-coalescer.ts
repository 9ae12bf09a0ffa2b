import { type Decoded, type Message, parseTextDelta } from "@signalbox/protocol";
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

/** What surrounds the words in a line of theirs: all lines of one text have it alike, but for the uuid. */
interface LineTemplate {
  readonly head: string;
  readonly tail: string;
  readonly uuidLength: number;
  readonly end: string;
}

/** What ends a JSON string, or what it holds only escaped. */
// oxlint-disable-next-line no-control-regex
const needsEscaping = /["\\\u0000-\u001f]/;

/**
 * Words of one text that arrive one behind the other. They are understood in one step, as if the agent had
 * written them at once: of words that are not stored by themselves, nothing but their sum counts.
 */
export class DeltaCoalescer {
  #first: FirstDelta | undefined;
  #rest = "";

  /** Whether the line holds words that go on where the last ones ended, or are the first. */
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

  /** All of them as one line, if there are any. */
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
 * The words of a line that is like the first in everything but them and its uuid. What is alike was read as
 * JSON once: only the rest may be something else than it seems.
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
