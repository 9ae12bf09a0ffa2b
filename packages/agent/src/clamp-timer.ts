/** The longest delay of a timer, 24 days. A timer with a longer delay fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Limits a delay to what a timer supports. */
export function clampTimerMs(ms: number): number {
  return Math.min(ms, LONGEST_MS);
}
