const MAX_RESULTS = 2000;

/** Carries out what has an id once, and gives whoever comes with that id again the same result. */
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
