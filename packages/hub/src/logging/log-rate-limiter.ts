import { steadyNow } from "../steady-clock.ts";

const WINDOW_MS = 60_000;
/** Lines of one kind within a minute; a hub that works writes a few. */
const MAX_LINES = 300;

/**
 * Decides which lines of a log are written, so that nobody can fill it: of each kind so many a minute.
 * What was left out is counted, and the count is given with the first line of that kind afterwards.
 */
export class LogRateLimiter {
  readonly #most: number;
  readonly #now: () => number;
  readonly #kinds = new Map<string, { since: number; written: number; leftOut: number }>();

  constructor(most: number = MAX_LINES, now: () => number = steadyNow) {
    this.#most = most;
    this.#now = now;
  }

  /** Undefined: the line is to be left out. Else: how many of its kind were left out before it. */
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
