import { addId, hasId, lookUpId } from "../recent-ids.ts";
import type { Draft } from "./draft.ts";
import { fingerprint } from "./fingerprint.ts";
import type { NormalizeState } from "./state.ts";

/**
 * The number of pages in the memory of messages. An agent that reconnects prints up to 1,000
 * messages again, each with a uuid and, if it was streamed, an id. The memory holds twice as many
 * of both.
 */
export const RECENT_PAGES = 9;

/**
 * Whether a message was shown before: the same uuid with the same content. A message that reuses a
 * uuid for another content is shown like any other, with an event that reports the reuse.
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

/** Remembers the content of a uuid, also if the uuid had another content before. */
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

/** A prompt may wait for longer than the memory reaches back. */
function isWaiting({ waiting }: NormalizeState, uuid: string): boolean {
  return waiting.some((sent) => sent.uuid === uuid);
}

/** Whether a message is only printed again. If so, this is reported. */
export function isRepeated(draft: Draft, uuid: string | undefined, content: unknown): boolean {
  if (uuid === undefined || !wasEmitted(draft, uuid, content)) return false;
  draft.emit({ type: "message-repeated", uuid });
  return true;
}

export function rememberId({ state }: Draft, messageId: string): void {
  if (!isRecentId(state, messageId)) state.recent = addId(state.recent, messageId);
}

/** Whether a message with this id was streamed or shown whole. */
export function isRecentId(state: NormalizeState, messageId: string): boolean {
  return hasId(state.recent, messageId);
}

/** Appends to a list and keeps only the last `limit` entries. */
export function appendBounded<T>(list: readonly T[], added: T, limit: number): readonly T[] {
  const next = list.length < limit ? list.slice() : list.slice(list.length - limit + 1);
  next.push(added);
  return next;
}
