import type { BlockKind } from "../event.ts";
import type { OpenBlock, OpenMessage, TextDigest } from "./state.ts";

/**
 * When a stream breaks off, 2.1.7 prints the part that came as a complete message and asks the
 * model again. The answer has another id, and the text it repeats was shown already.
 */

/** Long enough to tell one text from another. */
const MIN_REPEATED_LENGTH = 100;

export function excerptText(text: string): TextDigest {
  return {
    length: text.length,
    head: text.slice(0, MIN_REPEATED_LENGTH),
    tail: text.slice(-MIN_REPEATED_LENGTH),
  };
}

/**
 * The blocks of the message that was cut off just before. A message with a tool call was not cut
 * off.
 */
export function findAttempt({ ended, blocks }: OpenMessage): readonly OpenBlock[] {
  return ended || blocks.some(({ kind }) => kind === "tool") ? [] : blocks;
}

/** The part of a block that goes beyond what the previous attempt had written. */
export function removeRepeated(
  before: OpenBlock | undefined,
  kind: BlockKind,
  text: string,
): string {
  if (before?.words === undefined || before.kind !== kind || before.words.length === 0) return text;
  const { length, head, tail } = before.words;
  const again = text.startsWith(head) && text.slice(0, length).endsWith(tail);
  return again && text.length >= length ? text.slice(length) : text;
}
