import type { Change, Fence, SessionRow, Store } from "../store/store.ts";

/**
 * A session's row in two states: as it is stored, which is what others see, and as it will be after the
 * pending changes.
 */
export class SessionRecord {
  readonly #store: Store;
  readonly #getFence: () => Fence | undefined;
  #committed: SessionRow;
  #pending: SessionRow;
  #prepared: SessionRow | undefined;

  constructor(store: Store, row: SessionRow, getFence: () => Fence | undefined) {
    this.#store = store;
    this.#getFence = getFence;
    this.#committed = this.#pending = row;
  }

  get committed(): SessionRow {
    return this.#committed;
  }
  get pending(): SessionRow {
    return this.#pending;
  }

  /** Changes the row as part of the transaction that is being put together. */
  patch(patch: Partial<SessionRow>): void {
    this.#pending = { ...this.#pending, ...patch };
  }

  /**
   * The row for a transaction, if it changes. Call it for each attempt, because the row may have changed
   * since.
   */
  prepare(): Change[] {
    if (this.#pending === this.#committed) return [];
    this.#prepared = this.#pending;
    return [{ kind: "session", row: this.#pending }];
  }

  /** The row of the last `prepare` was stored. */
  confirm(): void {
    this.#committed = this.#prepared ?? this.#committed;
    this.#prepared = undefined;
  }

  /** The row of the last `prepare` will never be stored. */
  revert(): void {
    this.#pending = this.#committed;
    this.#prepared = undefined;
  }

  /** Stores a change of the row together with related changes. If that fails, the row stays as it was. */
  async write(patch: Partial<SessionRow>, changes: readonly Change[]): Promise<void> {
    const before = this.#pending;
    this.patch(patch);
    const row = this.#pending;
    try {
      await this.#store.commit([{ kind: "session", row }, ...changes], this.#getFence());
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
