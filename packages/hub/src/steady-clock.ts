/** Milliseconds as of `Date.now()` at the start, and from then on steady, whatever is done to the clock. */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
