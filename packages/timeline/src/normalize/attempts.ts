import type { BlockKind } from "../event.ts";
import type { OpenBlock, OpenMessage, Words } from "./state.ts";

/**
 * When a stream breaks off, 2.1.7 shows what had come as a message that is whole, and asks the model once
 * more: the answer comes under another id, and what it says again was told.
 */

/** As much as tells one text from another. */
const MIN_REPEATED_LENGTH = 100;

export function excerptText(text: string): Words {
  return {
    length: text.length,
    head: text.slice(0, MIN_REPEATED_LENGTH),
    tail: text.slice(-MIN_REPEATED_LENGTH),
  };
}

/** The blocks of a message that was cut off before another came. One that calls tools was not. */
export function findAttempt({ ended, blocks }: OpenMessage): readonly OpenBlock[] {
  return ended || blocks.some(({ kind }) => kind === "tool") ? [] : blocks;
}

/** What a block says beyond the one that the attempt before came to. */
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
