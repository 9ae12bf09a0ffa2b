import type { Decoded } from "@signalbox/protocol";

/** How much may wait for a slow consumer before reading from the agent pauses. */
const ROOM_CHARACTERS = 8 * 1024 * 1024;

/** Hands batches from the reading loop to one consumer, and tells the loop when to wait for it. */
export class LineFeed implements AsyncIterable<readonly Decoded[]> {
  #waiting: { batch: readonly Decoded[]; characters: number }[] = [];
  #characters = 0;
  #ended = false;
  #wakeConsumer: (() => void) | undefined;
  #wakeReader: (() => void) | undefined;

  push(batch: readonly Decoded[], characters: number): void {
    this.#waiting.push({ batch, characters });
    this.#characters += characters;
    this.#wakeConsumer?.();
  }

  end(): void {
    this.#ended = true;
    this.#wakeConsumer?.();
  }

  /** Resolves when more may be pushed; undefined: at once. */
  room(): Promise<void> | undefined {
    if (this.#characters < ROOM_CHARACTERS) return undefined;
    return new Promise((resolve) => (this.#wakeReader = resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Decoded[], void, undefined> {
    for (;;) {
      // One at a time: a consumer that leaves and comes back finds the rest.
      const next = this.#waiting.shift();
      if (next) {
        this.#characters -= next.characters;
        if (this.#characters < ROOM_CHARACTERS) this.#wakeReader?.();
        yield next.batch;
      } else if (this.#ended) {
        return;
      } else {
        await new Promise<void>((resolve) => (this.#wakeConsumer = resolve));
      }
    }
  }
}
