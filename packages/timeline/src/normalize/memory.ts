import type { Draft } from "./draft.ts";
import type { NormalizeState } from "./state.ts";

/** How much is remembered of what was said: what an agent prints again after a resume is recent. */
const RECENT = 128;
const RECENT_IDS = 32;

export function isRecent(state: NormalizeState, uuid: string | undefined): boolean {
  if (uuid === undefined) return false;
  return state.recent.includes(uuid) || state.waiting.some((sent) => sent.uuid === uuid);
}

/** Remembers a uuid that is not recent. */
export function remember({ state }: Draft, uuid: string | undefined): void {
  if (uuid !== undefined) state.recent = withLast(state.recent, uuid, RECENT);
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
