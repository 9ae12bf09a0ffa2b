import {
  createTimeline,
  joinState,
  type MemoryPage,
  parsePage,
  formatPage,
  splitState,
  type TimelineState,
} from "@signalbox/timeline";
import type { Change, MemoryRow, Store } from "../store/store.ts";

/**
 * The version of the rules that turn lines into items. Items that were stored under another version are made
 * again.
 */
export const REDUCER_VERSION = 11;

/** What the store has of a conversation, from which it continues. */
export interface StoredState {
  readonly state: TimelineState;
  readonly seq: number;
  readonly pos: number;
  readonly edition: number;
  readonly isSeqUncertain?: boolean;
}

/** Identifies one rebuild of a session's items: it changes when newer rules make them again. */
export function getEpoch(store: Store, edition: number): string {
  return edition === 0 ? store.epoch : `${store.epoch}.${edition}`;
}

export function createEmptyState(): StoredState {
  return { state: createTimeline(), seq: 0, pos: 0, edition: 0 };
}

interface SavedState {
  readonly by: number;
  readonly edition: number;
  readonly state: TimelineState;
}

/** The serialized state: the state itself, and those pages of its memory that have changed. */
export function serializeState(
  session: string,
  edition: number,
  state: TimelineState,
  before: readonly MemoryPage[],
): { timeline: string; pages: readonly MemoryPage[]; changes: Change[] } {
  const { rest, pages } = splitState(state);
  const changes: Change[] = [];
  for (const [page, keys] of pages.entries()) {
    if (keys === before[page]) continue;
    changes.push({ kind: "memory", row: { session, page, keys: formatPage(keys) } });
  }
  const saved: SavedState = { by: REDUCER_VERSION, edition, state: rest };
  return { timeline: JSON.stringify(saved), pages, changes };
}

/** Parses a stored state; undefined: it cannot be read. */
export function parseSavedState(
  text: string,
  memories: readonly MemoryRow[],
): SavedState | undefined {
  try {
    const saved = JSON.parse(text) as SavedState | null;
    if (saved?.by !== REDUCER_VERSION) return saved ?? undefined;
    const pages = new Map(memories.map(({ page, keys }) => [page, parsePage(keys)]));
    return { ...saved, state: joinState(saved.state, pages) };
  } catch {
    return undefined;
  }
}
