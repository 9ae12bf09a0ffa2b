import { addId, hasId, lookUpId } from "../id-memory.ts";
import type { Draft } from "./draft.ts";
import { fingerprint } from "./fingerprint.ts";
import type { NormalizeState } from "./state.ts";

/**
 * Pages of the memory of what was told. An agent that comes back prints up to 1,000 messages again: of
 * each a uuid, and of those that were streamed an id. This is room for twice as many of both.
 */
export const RECENT_PAGES = 9;

/**
 * Whether a message was told before: the same uuid, saying the same. Who gives a uuid a second time for
 * something else has said another thing, which is told like any other, and it is told that this happened.
 */
export function wasEmitted(draft: Draft, uuid: string | undefined, content: unknown): boolean {
  if (uuid === undefined) return false;
  const { state } = draft;
  const print = fingerprint(content);
  const known = lookUpId(state.recent, uuid, print);
  if (known === "same" || (known === "unknown" && isWaiting(state, uuid))) return true;
  if (known === "other") draft.emit({ type: "uuid-reused", uuid });
  state.recent = addId(state.recent, uuid, print);
  return false;
}

/** That this was said under this uuid, also where it had said something else. */
export function remember({ state }: Draft, uuid: string | undefined, content: unknown): void {
  if (uuid === undefined) return;
  const print = fingerprint(content);
  if (lookUpId(state.recent, uuid, print) === "same") return;
  state.recent = addId(state.recent, uuid, print);
}

export function isRecent(state: NormalizeState, uuid: string | undefined): boolean {
  if (uuid === undefined) return false;
  return hasId(state.recent, uuid) || isWaiting(state, uuid);
}

/** A prompt may wait for longer than the memory goes back. */
function isWaiting({ waiting }: NormalizeState, uuid: string): boolean {
  return waiting.some((sent) => sent.uuid === uuid);
}

/** Whether a message is only printed again, which is then told. */
export function isRepeated(draft: Draft, uuid: string | undefined, content: unknown): boolean {
  if (uuid === undefined || !wasEmitted(draft, uuid, content)) return false;
  draft.emit({ type: "message-repeated", uuid });
  return true;
}

export function rememberId({ state }: Draft, messageId: string): void {
  if (!isRecentId(state, messageId)) state.recent = addId(state.recent, messageId);
}

/** A message of this id was streamed, or told whole. */
export function isRecentId(state: NormalizeState, messageId: string): boolean {
  return hasId(state.recent, messageId);
}

/** The list with one more at its end, and no more than the last `most`. */
export function appendBounded<T>(list: readonly T[], added: T, limit: number): readonly T[] {
  const next = list.length < limit ? list.slice() : list.slice(list.length - limit + 1);
  next.push(added);
  return next;
}
