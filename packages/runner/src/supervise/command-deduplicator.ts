const MAX_RESULTS = 2000;

/** Runs the work for an id once, and returns the same result for the same id again. */
export class CommandDeduplicator<T> {
  readonly #results = new Map<string, Promise<T>>();
  readonly #maxResults: number;

  constructor(remembered = MAX_RESULTS) {
    this.#maxResults = remembered;
  }

  run(id: string, work: () => Promise<T>): Promise<T> {
    const known = this.#results.get(id);
    if (known) return known;
    const result = work();
    this.#results.set(id, result);
    if (this.#results.size > this.#maxResults) {
      const [oldest = ""] = this.#results.keys();
      this.#results.delete(oldest);
    }
    return result;
  }
}
