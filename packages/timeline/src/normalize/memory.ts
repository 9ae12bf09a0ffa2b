import { added, has } from "../memory.ts";
import type { Draft } from "./draft.ts";
import type { NormalizeState } from "./state.ts";

/**
 * Pages of the memory of what was told. An agent that comes back prints up to 1,000 messages again: of
 * each a uuid, and of those that were streamed an id. This is room for twice as many of both.
 */
export const TOLD_PAGES = 9;

export function isRecent(state: NormalizeState, uuid: string | undefined): boolean {
  if (uuid === undefined) return false;
  return has(state.recent, uuid) || state.waiting.some((sent) => sent.uuid === uuid);
}

/** Remembers a uuid that is not recent. */
export function remember({ state }: Draft, uuid: string | undefined): void {
  if (uuid !== undefined) state.recent = added(state.recent, uuid);
}

/** Whether a message is only printed again, which is then told; else it is remembered. */
export function isRepeated(draft: Draft, uuid: string | undefined): boolean {
  if (uuid === undefined) return false;
  if (isRecent(draft.state, uuid)) {
    draft.tell({ type: "message-repeated", uuid });
    return true;
  }
  remember(draft, uuid);
  return false;
}

export function rememberId({ state }: Draft, messageId: string): void {
  if (!isRecentId(state, messageId)) state.recent = added(state.recent, messageId);
}

/** A message of this id was streamed, or told whole. */
export function isRecentId(state: NormalizeState, messageId: string): boolean {
  return has(state.recent, messageId);
}

/** The list with one more at its end, and no more than the last `most`. */
export function withLast<T>(list: readonly T[], added: T, most: number): readonly T[] {
  const next = list.length < most ? list.slice() : list.slice(list.length - most + 1);
  next.push(added);
  return next;
}
