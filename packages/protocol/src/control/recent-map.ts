/**
 * A map that keeps only its most recent keys. That is enough to recognize a late message, and it
 * cannot leak memory.
 */
export class RecentMap<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#limit) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }
}
