import { steadyNow } from "../clocks.ts";

const WINDOW_MS = 60_000;
/** How many lines of one kind are logged within a minute. A healthy hub writes a few. */
const MAX_LINES = 300;

/**
 * Decides which lines are written, so that nobody can fill the log: a limited number of each kind per minute.
 * Skipped lines are counted, and the next line of that kind reports the count.
 */
export class LogRateLimiter {
  readonly #most: number;
  readonly #now: () => number;
  readonly #kinds = new Map<string, { since: number; written: number; leftOut: number }>();

  constructor(most: number = MAX_LINES, now: () => number = steadyNow) {
    this.#most = most;
    this.#now = now;
  }

  /**
   * Returns how many lines of its kind were skipped before this one; undefined: this line is to be skipped,
   * too.
   */
  admit(kind: string): number | undefined {
    const now = this.#now();
    let known = this.#kinds.get(kind);
    if (!known) this.#kinds.set(kind, (known = { since: now, written: 0, leftOut: 0 }));
    if (now - known.since >= WINDOW_MS) {
      known.since = now;
      known.written = 0;
    }
    if (known.written >= this.#most) {
      known.leftOut += 1;
      return undefined;
    }
    known.written += 1;
    const { leftOut } = known;
    known.leftOut = 0;
    return leftOut;
  }
}
