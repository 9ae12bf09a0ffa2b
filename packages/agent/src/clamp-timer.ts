/** The longest that a timer can wait, 24 days: told to wait longer, it rings at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A wait that somebody named, as a timer can be told it. */
export function clampTimerMs(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}
