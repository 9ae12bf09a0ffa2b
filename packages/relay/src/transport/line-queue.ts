import type { Line } from "@signalbox/protocol";

/** Lines that have arrived and are not read yet, with their size, because a socket cannot be made to wait. */
export class AgentLineQueue implements AsyncIterable<readonly Line[]> {
  #batches: (readonly Line[])[] = [];
  #characters = 0;
  #ended = false;
  #wake: (() => void) | undefined;

  get characters(): number {
    return this.#characters;
  }

  push(lines: readonly string[]): void {
    if (this.#ended) return;
    this.#batches.push(lines);
    for (const line of lines) this.#characters += line.length;
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Line[], void, undefined> {
    for (;;) {
      if (this.#batches.length > 0) {
        const batch = this.#batches.flat();
        this.#batches = [];
        this.#characters = 0;
        yield batch;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    }
  }
}
