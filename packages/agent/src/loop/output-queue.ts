/**
 * A queue of output with many producers and one consumer. `close` lets it drain, `fail` does not.
 */
export class OutputQueue<T> implements AsyncIterable<T> {
  #waiting: T[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;
  #failure: Error | undefined;
  #isRead = false;

  enqueue(item: T): void {
    if (this.#isClosed) return;
    this.#waiting.push(item);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  fail(failure: Error): void {
    this.#failure ??= failure;
    this.close();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    if (this.#isRead) throw new Error("An output queue can be read once.");
    this.#isRead = true;
    for (;;) {
      if (this.#failure) throw this.#failure;
      const batch = this.#waiting;
      this.#waiting = [];
      for (const item of batch) yield item;
      if (this.#waiting.length > 0) continue;
      if (this.#isClosed && !this.#failure) return;
      if (!this.#isClosed) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
