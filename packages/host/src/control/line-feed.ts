import type { Decoded } from "@signalbox/protocol";
import { deferred } from "@signalbox/protocol/wire";

/** How much may wait for a slow consumer before reading from the agent pauses. */
const ROOM_CHARACTERS = 8 * 1024 * 1024;

/**
 * Passes batches from the reading loop to one consumer, and makes the loop wait for a slow
 * consumer.
 */
export class LineFeed implements AsyncIterable<readonly Decoded[]> {
  #waiting: { batch: readonly Decoded[]; characters: number }[] = [];
  #characters = 0;
  #ended = false;
  #changed = deferred<void>();
  #wakeReader: (() => void) | undefined;

  push(batch: readonly Decoded[], characters: number): void {
    this.#waiting.push({ batch, characters });
    this.#characters += characters;
    this.wake();
  }

  /** Notifies waiting readers, which then check again. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = deferred();
  }

  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** Ends the feed. Batches that wait can still be read. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Settles when a batch arrives or the feed ends after this call. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Resolves when more may be pushed; undefined if that is possible at once. */
  waitForRoom(): Promise<void> | undefined {
    if (this.#characters < ROOM_CHARACTERS) return undefined;
    return new Promise((resolve) => (this.#wakeReader = resolve));
  }

  /** Returns the next waiting batch, or undefined. */
  take(): readonly Decoded[] | undefined {
    const next = this.#waiting.shift();
    if (!next) return undefined;
    this.#characters -= next.characters;
    if (this.#characters < ROOM_CHARACTERS) this.#wakeReader?.();
    return next.batch;
  }

  /** Puts back lines that a consumer took and did not use: the next consumer gets them first. */
  putBack(batch: readonly Decoded[]): void {
    if (batch.length === 0) return;
    const characters = batch.reduce((sum, { raw }) => sum + raw.length, 0);
    this.#waiting.unshift({ batch, characters });
    this.#characters += characters;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Decoded[], void, undefined> {
    for (;;) {
      // Batches are yielded one by one, so that a consumer that stops and returns finds the rest.
      const { changed } = this;
      const batch = this.take();
      if (batch) yield batch;
      else if (this.#ended) return;
      else await changed;
    }
  }
}
