import { type Cell, END, pushChange } from "./cells.ts";
import type { Outcome } from "./group.ts";
import { type Change, StoreError } from "./store.ts";

/** Commits are collected for five milliseconds, minus the usual delay of a timer. */
const BATCH_DELAY_MS = 4;
/** About a few hundred rows. */
const LARGE_BATCH_CELLS = 4000;

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Collects commits into groups. The writer has one group at a time, and commits that arrive
 * meanwhile form the next one, so that a slow disk leads to larger groups instead of a longer
 * queue.
 */
export class CommitQueue {
  readonly #send: (cells: Cell[]) => void;
  #cells: Cell[] = [];
  #gathered: Waiting[] = [];
  #sent: Waiting[] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (cells: Cell[]) => void) {
    this.#send = send;
  }

  add(changes: readonly Change[]): Promise<void> {
    const before = this.#cells.length;
    try {
      for (const change of changes) pushChange(this.#cells, change);
    } catch (error) {
      this.#cells.length = before;
      return Promise.reject(error);
    }
    this.#cells.push(END);
    if (!this.#sent) this.#flushSoon();
    return new Promise((resolve, reject) => this.#gathered.push({ resolve, reject }));
  }

  /** Settles the commits of the group that the writer has finished. */
  settle(written: "all" | Outcome): void {
    const sent = this.#sent ?? [];
    this.#sent = undefined;
    if (this.#gathered.length > 0) this.#flush();
    for (const [at, { resolve, reject }] of sent.entries()) {
      const refusal = written === "all" ? null : written[at];
      if (refusal == null) resolve();
      else reject(new StoreError(refusal.why, `The store refused a change: ${refusal.message}.`));
    }
  }

  /** Rejects all waiting commits. */
  fail(error: StoreError): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lost = [...(this.#sent ?? []), ...this.#gathered];
    this.#sent = undefined;
    this.#gathered = [];
    this.#cells = [];
    for (const { reject } of lost) reject(error);
  }

  /** A group that is already large gains nothing from waiting. */
  #flushSoon(): void {
    if (this.#cells.length >= LARGE_BATCH_CELLS) {
      queueMicrotask(() => {
        if (!this.#sent && this.#gathered.length > 0) this.#flush();
      });
    } else this.#timer ??= setTimeout(() => this.#flush(), BATCH_DELAY_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const cells = this.#cells;
    this.#sent = this.#gathered;
    this.#cells = [];
    this.#gathered = [];
    this.#send(cells);
  }
}
