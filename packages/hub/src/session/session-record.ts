import type { Change, SessionRow, Store } from "../store/store.ts";

/** A session's row: as it is stored, and so as everybody may see it, and as it is to be. */
export class SessionRecord {
  readonly #store: Store;
  #committed: SessionRow;
  #pending: SessionRow;
  #prepared: SessionRow | undefined;

  constructor(store: Store, row: SessionRow) {
    this.#store = store;
    this.#committed = this.#pending = row;
  }

  get committed(): SessionRow {
    return this.#committed;
  }
  get pending(): SessionRow {
    return this.#pending;
  }

  /** Changes the row with the transaction that is put together at the moment. */
  patch(patch: Partial<SessionRow>): void {
    this.#pending = { ...this.#pending, ...patch };
  }

  /** The row for a transaction, if it is to change. Asked anew for each attempt: it may have moved on. */
  prepare(): Change[] {
    if (this.#pending === this.#committed) return [];
    this.#prepared = this.#pending;
    return [{ kind: "session", row: this.#pending }];
  }

  /** What was offered is stored. */
  confirm(): void {
    this.#committed = this.#prepared ?? this.#committed;
    this.#prepared = undefined;
  }

  /** What was offered will never be stored. */
  revert(): void {
    this.#pending = this.#committed;
    this.#prepared = undefined;
  }

  /** Stores a change of the row, with what belongs to it. If that fails it is as it was. */
  async write(patch: Partial<SessionRow>, changes: readonly Change[]): Promise<void> {
    const before = this.#pending;
    this.patch(patch);
    const row = this.#pending;
    try {
      await this.#store.commit([{ kind: "session", row }, ...changes]);
    } catch (failure) {
      this.#pending = this.#pending === row ? before : undoPatch(this.#pending, patch, before);
      throw failure;
    }
    this.#committed = row;
  }
}

function undoPatch(row: SessionRow, patch: Partial<SessionRow>, before: SessionRow): SessionRow {
  const undone = Object.entries(patch).filter(
    ([key, value]) => row[key as keyof SessionRow] === value,
  );
  const old = undone.map(([key]) => [key, before[key as keyof SessionRow]]);
  return { ...row, ...(Object.fromEntries(old) as Partial<SessionRow>) };
}
