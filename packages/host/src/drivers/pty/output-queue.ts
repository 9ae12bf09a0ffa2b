import type { Line } from "@signalbox/protocol";

/** Lines of an agent and calls to its host, in the order in which they are to be read. */
export class OutputQueue implements AsyncIterable<readonly Line[]> {
  #waiting: (Line | (() => void))[] = [];
  #hasEnded = false;
  #wakeReader = () => {};
  #onRoom: (() => void) | undefined;

  push(...entries: readonly (Line | (() => void))[]): void {
    this.#waiting.push(...entries);
    this.#wakeReader();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wakeReader();
  }

  /** Settles when everything was read. */
  async waitForRoom(): Promise<void> {
    if (this.#waiting.length === 0 || this.#hasEnded) return;
    await new Promise<void>((resolve) => (this.#onRoom = resolve));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Line[], void, undefined> {
    for (;;) {
      const entries = this.#waiting;
      this.#waiting = [];
      let lines: Line[] = [];
      for (const entry of entries) {
        if (typeof entry !== "function") lines.push(entry);
        else {
          if (lines.length > 0) yield lines;
          lines = [];
          entry();
        }
      }
      if (lines.length > 0) yield lines;
      if (this.#waiting.length > 0) continue;
      this.#onRoom?.();
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => (this.#wakeReader = resolve));
    }
  }
}
