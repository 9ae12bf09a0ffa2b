import { initialTimeline, type TimelineState } from "@signalbox/timeline";
import type { Store } from "../log/store.ts";

/** Of the rules that make items of lines: another number, and stored items are made anew. */
export const REDUCED_BY = 3;

/** What the store has of a conversation, for it to go on. */
export interface Stored {
  readonly state: TimelineState;
  readonly seq: number;
  readonly pos: number;
  readonly edition: number;
  readonly unsure?: boolean;
}

/** Of the items of one session: they are made anew when the rules change. */
export function epochOf(store: Store, edition: number): string {
  return edition === 0 ? store.epoch : `${store.epoch}.${edition}`;
}

export function nothingStored(): Stored {
  return { state: initialTimeline(), seq: 0, pos: 0, edition: 0 };
}
