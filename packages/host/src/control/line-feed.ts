import type { Decoded } from "@signalbox/protocol";
import { deferred } from "@signalbox/protocol/wire";

/** How much may wait for a slow consumer before reading from the agent pauses. */
const ROOM_CHARACTERS = 8 * 1024 * 1024;

/** Hands batches from the reading loop to one consumer, and tells the loop when to wait for it. */
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

  /** Lets whoever waits for a change look again. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = deferred();
  }

  end(): void {
    this.#ended = true;
    this.wake();
  }

  /** No batch comes any more; some may still wait. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Settles when a batch has come or the feed has ended since it was asked for. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Resolves when more may be pushed; undefined: at once. */
  room(): Promise<void> | undefined {
    if (this.#characters < ROOM_CHARACTERS) return undefined;
    return new Promise((resolve) => (this.#wakeReader = resolve));
  }

  /** The next batch that waits; undefined: none does. */
  take(): readonly Decoded[] | undefined {
    const next = this.#waiting.shift();
    if (!next) return undefined;
    this.#characters -= next.characters;
    if (this.#characters < ROOM_CHARACTERS) this.#wakeReader?.();
    return next.batch;
  }

  /** Lines that a consumer has taken and not used: the next consumer gets them first. */
  putBack(batch: readonly Decoded[]): void {
    if (batch.length === 0) return;
    const characters = batch.reduce((sum, { raw }) => sum + raw.length, 0);
    this.#waiting.unshift({ batch, characters });
    this.#characters += characters;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Decoded[], void, undefined> {
    for (;;) {
      // One at a time: a consumer that leaves and comes back finds the rest.
      const { changed } = this;
      const batch = this.take();
      if (batch) yield batch;
      else if (this.#ended) return;
      else await changed;
    }
  }
}
