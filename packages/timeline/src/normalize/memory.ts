import type { Draft } from "./draft.ts";
import { added, has } from "./recent.ts";
import type { NormalizeState } from "./state.ts";

/** How many messages are remembered by their id: those that were streamed may come again. */
const RECENT_IDS = 96;

export function isRecent(state: NormalizeState, uuid: string | undefined): boolean {
  if (uuid === undefined) return false;
  return has(state.recent, uuid) || state.waiting.some((sent) => sent.uuid === uuid);
}

/** Remembers a uuid that is not recent. */
export function remember({ state }: Draft, uuid: string | undefined): void {
  if (uuid !== undefined) state.recent = added(state.recent, uuid);
}

export function rememberId({ state }: Draft, messageId: string): void {
  if (state.recentIds.includes(messageId)) return;
  state.recentIds = withLast(state.recentIds, messageId, RECENT_IDS);
}

/** The list with one more at its end, and no more than the last `most`. */
export function withLast<T>(list: readonly T[], added: T, most: number): readonly T[] {
  const next = list.length < most ? list.slice() : list.slice(list.length - most + 1);
  next.push(added);
  return next;
}
