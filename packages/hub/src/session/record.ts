import type { Change, SessionRow, Store } from "../log/store.ts";

/** A session's row: as it is stored, and so as everybody may see it, and as it is to be. */
export class SessionRecord {
  readonly #store: Store;
  #shown: SessionRow;
  #next: SessionRow;
  #offered: SessionRow | undefined;

  constructor(store: Store, row: SessionRow) {
    this.#store = store;
    this.#shown = this.#next = row;
  }

  get shown(): SessionRow {
    return this.#shown;
  }
  get next(): SessionRow {
    return this.#next;
  }

  /** Changes the row with the transaction that is put together at the moment. */
  patch(patch: Partial<SessionRow>): void {
    this.#next = { ...this.#next, ...patch };
  }

  /** The row for a transaction, if it is to change. Asked anew for each attempt: it may have moved on. */
  offer(): Change[] {
    if (this.#next === this.#shown) return [];
    this.#offered = this.#next;
    return [{ kind: "session", row: this.#next }];
  }

  /** What was offered is stored. */
  settle(): void {
    this.#shown = this.#offered ?? this.#shown;
    this.#offered = undefined;
  }

  /** What was offered will never be stored. */
  discard(): void {
    this.#next = this.#shown;
    this.#offered = undefined;
  }

  /** Stores a change of the row, with what belongs to it. If that fails it is as it was. */
  async write(patch: Partial<SessionRow>, changes: readonly Change[]): Promise<void> {
    const before = this.#next;
    this.patch(patch);
    const row = this.#next;
    try {
      await this.#store.commit([{ kind: "session", row }, ...changes]);
    } catch (failure) {
      this.#next = this.#next === row ? before : without(this.#next, patch, before);
      throw failure;
    }
    this.#shown = row;
  }
}

function without(row: SessionRow, patch: Partial<SessionRow>, before: SessionRow): SessionRow {
  const undone = Object.entries(patch).filter(
    ([key, value]) => row[key as keyof SessionRow] === value,
  );
  const old = undone.map(([key]) => [key, before[key as keyof SessionRow]]);
  return { ...row, ...(Object.fromEntries(old) as Partial<SessionRow>) };
}
