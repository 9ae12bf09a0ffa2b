import { setTimeout as sleep } from "node:timers/promises";
import {
  type ConverterOptions,
  type TranscriptBatch,
  type TranscriptCursor,
  TranscriptReader,
  type TranscriptSource,
} from "@signalbox/protocol/transcript";

export interface FollowOptions extends ConverterOptions {
  /** Where to go on; missing: from the beginning. */
  readonly from?: TranscriptCursor;
  /** Stops following. What was written until then is still read. */
  readonly signal: AbortSignal;
  /** How long the model's last answer has to be the last line before its turn is ended. */
  readonly quietMs?: number;
  /** The same, if the program did not record why the model stopped: a call may still follow. */
  readonly unclearQuietMs?: number;
}

const BUSY_INTERVAL_MS = 100;
const IDLE_INTERVAL_MS = 500;
/** After this time without a new line it is looked for less often. */
const IDLE_AFTER_MS = 30_000;

/**
 * Follows the transcript of a session, and yields what is added to it. A transcript does not say
 * when a turn has ended: it is ended when the model's last answer stays the last line for a while,
 * when the next prompt comes, or by `endTurn`.
 */
export class TranscriptFollower {
  readonly reader: TranscriptReader;
  readonly #options: FollowOptions;
  #isTurnOver = false;
  #wake = () => {};

  constructor(source: TranscriptSource, options: FollowOptions) {
    this.reader = new TranscriptReader(source, options, options.from);
    this.#options = options;
  }

  /** Ends the turn with the next batch: whoever runs the program knows that it is idle. */
  endTurn(): void {
    this.#isTurnOver = true;
    this.#wake();
  }

  /** Looks for new lines at once. */
  lookNow(): void {
    this.#wake();
  }

  async *batches(): AsyncGenerator<TranscriptBatch> {
    const { signal, quietMs = 2000, unclearQuietMs = 15_000 } = this.#options;
    let lastLine = performance.now();
    for (;;) {
      // What was written before the end has to be read after it is known.
      const isLast = signal.aborted;
      for await (const batch of this.reader.read()) {
        lastLine = performance.now();
        yield batch;
      }
      const quiet = performance.now() - lastLine;
      const { turn } = this.reader.converter;
      const isQuiet =
        (turn === "answered" && quiet >= quietMs) || (turn === "wrote" && quiet >= unclearQuietMs);
      if (isLast || isQuiet || this.#isTurnOver) {
        this.#isTurnOver = false;
        const lines = this.reader.endTurn();
        if (lines.length > 0) yield { lines, cursor: this.reader.cursor };
      }
      if (isLast) return;
      const interval = quiet > IDLE_AFTER_MS ? IDLE_INTERVAL_MS : BUSY_INTERVAL_MS;
      const woken = new AbortController();
      this.#wake = () => woken.abort();
      const stops = AbortSignal.any([signal, woken.signal]);
      await sleep(interval, undefined, { signal: stops }).catch(() => {});
    }
  }
}
