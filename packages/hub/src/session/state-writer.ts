import type { TimelineState } from "@signalbox/timeline";
import { formatIdPage, type IdPage, splitState } from "@signalbox/timeline/state";
import type { Change } from "../store/store.ts";
import { findJsonChanges } from "./json-changes.ts";
import {
  type Checkpoint,
  type CheckpointState,
  REDUCER_VERSION,
  type SavedCheckpoint,
  type StoredState,
} from "./stored-state.ts";

/** The place of a state in its session's lines. */
interface LinePosition {
  readonly seq: number;
  readonly pos: number;
}

/**
 * Writes a session's state with every batch of lines. The whole state is written seldom, as a checkpoint;
 * with each batch only a small head is written, which says what has changed since. A new checkpoint is due
 * when the changes that were written since the last one are together as long as it, so that neither is
 * written much more than needed.
 */
export class StateWriter {
  readonly #session: string;
  readonly #edition: number;
  #checkpoint: Checkpoint | undefined;
  #changesWritten = 0;
  /** The pages of the timeline's memory as they were last stored. */
  #pages: readonly IdPage[];

  constructor(
    session: string,
    stored: Pick<StoredState, "edition" | "checkpoint"> & { readonly state?: TimelineState },
  ) {
    this.#session = session;
    this.#edition = stored.edition;
    this.#checkpoint = stored.checkpoint;
    this.#pages = stored.state ? splitState(stored.state).pages : [];
  }

  get checkpoint(): Checkpoint | undefined {
    return this.#checkpoint;
  }

  /** The changes that store a state. They have to be stored, and in this order. */
  write(state: TimelineState, { seq, pos }: LinePosition): Change[] {
    const session = this.#session;
    const { rev, summary } = state.reduce;
    const { rest, pages } = splitState(state);
    const stored = { ...rest, reduce: omitSummary(rest.reduce) };
    const changes: Change[] = this.#writePages(pages);
    let changed = this.#checkpoint && findChanges(this.#checkpoint.state, stored);
    this.#changesWritten += changed?.length ?? 0;
    if (!this.#checkpoint || this.#changesWritten > this.#checkpoint.length) {
      changes.push(this.#writeCheckpoint(stored));
      changed = undefined;
    }
    const row = {
      session,
      seq,
      pos,
      rev,
      summary: JSON.stringify(summary),
      checkpoint: this.#checkpoint?.number ?? 0,
      changes: changed ?? null,
    };
    return [...changes, { kind: "head", row }];
  }

  #writePages(pages: readonly IdPage[]): Change[] {
    const session = this.#session;
    const changes: Change[] = [];
    for (const [page, keys] of pages.entries()) {
      if (keys === this.#pages[page]) continue;
      changes.push({ kind: "memory", row: { session, page, keys: formatIdPage(keys) } });
    }
    this.#pages = pages;
    return changes;
  }

  #writeCheckpoint(state: CheckpointState): Change {
    const number = (this.#checkpoint?.number ?? 0) + 1;
    const saved: SavedCheckpoint = { by: REDUCER_VERSION, edition: this.#edition, state };
    const text = JSON.stringify(saved);
    this.#checkpoint = { number, state, length: text.length };
    this.#changesWritten = 0;
    return { kind: "checkpoint", row: { session: this.#session, number, state: text } };
  }
}

function findChanges(before: CheckpointState, after: CheckpointState): string | undefined {
  const changes = findJsonChanges(before, after);
  return changes && JSON.stringify(changes);
}

function omitSummary(reduce: TimelineState["reduce"]): CheckpointState["reduce"] {
  const { summary: _, ...others } = reduce;
  return others;
}
