import { createTimeline, type Summary, type TimelineState } from "@signalbox/timeline";
import { joinState, parseIdPage } from "@signalbox/timeline/state";
import type { CheckpointRow, HeadRow, IdPageRow, Store } from "../store/store.ts";
import { applyJsonChanges, type JsonChanges } from "./json-changes.ts";

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
  /** The stored checkpoint; undefined: there is none that can be continued. */
  readonly checkpoint?: Checkpoint;
}

/** A stored checkpoint, against which the changes of a head are made. */
export interface Checkpoint {
  readonly number: number;
  readonly state: CheckpointState;
  /** How many characters it has. */
  readonly length: number;
}

/**
 * The part of a timeline's state that is in a checkpoint: all but the summary, which is in the head, and the
 * pages of its memories, which are rows of their own.
 */
export type CheckpointState = Omit<TimelineState, "reduce"> & {
  readonly reduce: Omit<TimelineState["reduce"], "summary">;
};

/** The text of a checkpoint. */
export interface SavedCheckpoint {
  readonly by: number;
  readonly edition: number;
  readonly state: CheckpointState;
}

/** Identifies one rebuild of a session's items: it changes when newer rules make them again. */
export function getEpoch(store: Store, edition: number): string {
  return edition === 0 ? store.epoch : `${store.epoch}.${edition}`;
}

export function createEmptyState(): StoredState {
  return { state: createTimeline(), seq: 0, pos: 0, edition: 0 };
}

/** What is known of a stored state: its edition, and the state itself if the current rules made it. */
interface RestoredState {
  readonly edition: number;
  readonly current?: { readonly state: TimelineState; readonly checkpoint: Checkpoint };
}

/** Restores a state from its checkpoint and the changes since; undefined: it cannot be read. */
export function restoreState(
  head: HeadRow,
  row: CheckpointRow | undefined,
  idPages: readonly IdPageRow[],
): RestoredState | undefined {
  if (row?.number !== head.checkpoint) return undefined;
  try {
    const saved = JSON.parse(row.state) as SavedCheckpoint | null;
    if (!saved) return undefined;
    const { by, edition, state: base } = saved;
    if (by !== REDUCER_VERSION) return { edition };
    const changes = head.changes === null ? undefined : (JSON.parse(head.changes) as JsonChanges);
    const rest = (changes ? applyJsonChanges(base, changes) : base) as CheckpointState;
    const summary = JSON.parse(head.summary) as Summary;
    const pages = new Map(idPages.map(({ page, keys }) => [page, parseIdPage(keys)]));
    const state = joinState({ ...rest, reduce: { ...rest.reduce, summary } }, pages);
    const checkpoint = { number: row.number, state: base, length: row.state.length };
    return { edition, current: { state, checkpoint } };
  } catch {
    return undefined;
  }
}
