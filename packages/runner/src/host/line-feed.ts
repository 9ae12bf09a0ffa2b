import type { Decoded } from "@signalbox/protocol";

/** How much may wait for a slow consumer before reading from the agent pauses. */
const ROOM_CHARACTERS = 8 * 1024 * 1024;

/** Hands batches from the reading loop to one consumer, and tells the loop when to wait for it. */
export class LineFeed implements AsyncIterable<readonly Decoded[]> {
  #waiting: (readonly Decoded[])[] = [];
  #characters = 0;
  #ended = false;
  #wakeConsumer: (() => void) | undefined;
  #wakeReader: (() => void) | undefined;

  push(batch: readonly Decoded[], characters: number): void {
    this.#waiting.push(batch);
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
      const ready = this.#waiting;
      this.#waiting = [];
      this.#characters = 0;
      this.#wakeReader?.();
      for (const batch of ready) yield batch;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => (this.#wakeConsumer = resolve));
    }
  }
}
