const REMEMBERED = 2000;

/** Carries out what has an id once, and gives whoever comes with that id again the same result. */
export class CommandDeduplicator<T> {
  readonly #results = new Map<string, Promise<T>>();
  readonly #remembered: number;

  constructor(remembered = REMEMBERED) {
    this.#remembered = remembered;
  }

  do(id: string, work: () => Promise<T>): Promise<T> {
    const known = this.#results.get(id);
    if (known) return known;
    const result = work();
    this.#results.set(id, result);
    if (this.#results.size > this.#remembered) {
      const [oldest = ""] = this.#results.keys();
      this.#results.delete(oldest);
    }
    return result;
  }
}
