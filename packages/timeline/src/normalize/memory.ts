import type { Draft } from "./draft.ts";
import { added, has } from "./recent.ts";
import type { NormalizeState } from "./state.ts";

/** More than a resume prints again. */
const RECENT = 136;
const RECENT_IDS = 24;

export function isRecent(state: NormalizeState, uuid: string | undefined): boolean {
  if (uuid === undefined) return false;
  return has(state.recent, uuid) || state.waiting.some((sent) => sent.uuid === uuid);
}

/** Remembers a uuid that is not recent. */
export function remember({ state }: Draft, uuid: string | undefined): void {
  if (uuid !== undefined) state.recent = added(state.recent, uuid, RECENT);
}

export function rememberId({ state }: Draft, messageId: string): void {
  if (isRecentId(state, messageId)) return;
  state.recentIds = added(state.recentIds, messageId, RECENT_IDS);
}

/** A message of this id was streamed, or told whole. */
export function isRecentId(state: NormalizeState, messageId: string): boolean {
  return has(state.recentIds, messageId);
}

/** The list with one more at its end, and no more than the last `most`. */
export function withLast<T>(list: readonly T[], added: T, most: number): readonly T[] {
  const next = list.length < most ? list.slice() : list.slice(list.length - most + 1);
  next.push(added);
  return next;
}
