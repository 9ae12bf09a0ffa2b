/**
 * The time in milliseconds. It starts at `Date.now()` and then runs steadily, whatever is done to the system
 * clock.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
