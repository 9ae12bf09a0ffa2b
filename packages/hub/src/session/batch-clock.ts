import type { ReceivedLine } from "../link/received-line.ts";
import type { BatchTimes } from "./ingest-observer.ts";

/** Notes when the lines of the next transaction were read and taken in, for an observer. */
export class BatchClock {
  #lines = 0;
  #run: string | null = null;
  #firstReadAt = 0;
  #lastReadAt = 0;
  #receivedAt = 0;

  addLine({ at, run }: ReceivedLine): void {
    if (this.#lines === 0) [this.#firstReadAt, this.#receivedAt] = [at, Date.now()];
    this.#lastReadAt = at;
    this.#run = run;
    this.#lines++;
  }

  /** The times of the lines that are now stored; undefined: there are none. */
  startCommit(): Omit<BatchTimes, "committedAt" | "publishedAt"> | undefined {
    if (this.#lines === 0) return undefined;
    const times = {
      run: this.#run,
      lines: this.#lines,
      firstReadAt: this.#firstReadAt,
      lastReadAt: this.#lastReadAt,
      receivedAt: this.#receivedAt,
      commitStartedAt: Date.now(),
    };
    this.#lines = 0;
    return times;
  }
}
