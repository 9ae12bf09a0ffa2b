import type { Decoded, Role } from "@signalbox/protocol";

/** A line of the agent's, and what it was to the control plane. */
export interface HostLine {
  readonly line: Decoded;
  readonly role: Role;
}

/** How much may wait for a slow consumer before reading from the agent pauses. */
const ROOM_CHARACTERS = 8 * 1024 * 1024;

/** Hands batches from the reading loop to one consumer, and tells the loop when to wait for it. */
export class LineFeed implements AsyncIterable<readonly HostLine[]> {
  #waiting: (readonly HostLine[])[] = [];
  #characters = 0;
  #ended = false;
  #wakeConsumer: (() => void) | undefined;
  #wakeReader: (() => void) | undefined;

  push(batch: readonly HostLine[]): void {
    this.#waiting.push(batch);
    for (const { line } of batch) this.#characters += line.raw.length;
    this.#wakeConsumer?.();
  }

  end(): void {
    this.#ended = true;
    this.#wakeConsumer?.();
  }

  /** Resolves when more may be pushed; at once unless the consumer is far behind. */
  room(): Promise<void> | undefined {
    if (this.#characters < ROOM_CHARACTERS) return undefined;
    return new Promise((resolve) => (this.#wakeReader = resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly HostLine[], void, undefined> {
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
