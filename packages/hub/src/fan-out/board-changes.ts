/** Is told which parts of the board have changed. */
export interface BoardListener {
  sessionChanged(id: string): void;
  askChanged(id: string): void;
  /** The list of runners, or whether the store can be written, has changed. */
  hubChanged(): void;
}

/**
 * Passes changes on to the board. Sessions, asks and runners report here, so that they need not know the
 * board, which reads all of them.
 */
export class BoardChanges implements BoardListener {
  readonly #listeners = new Set<BoardListener>();

  subscribe(listener: BoardListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  sessionChanged(id: string): void {
    for (const listener of this.#listeners) listener.sessionChanged(id);
  }

  askChanged(id: string): void {
    for (const listener of this.#listeners) listener.askChanged(id);
  }

  hubChanged(): void {
    for (const listener of this.#listeners) listener.hubChanged();
  }
}
