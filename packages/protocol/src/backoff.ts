export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * How long to wait before the next attempt: twice as long each time, up to a limit. Half of the
 * delay is random, so that many clients of one server do not reconnect at the same moment. `random`
 * is from 0 to 1.
 */
export function backoffDelayMs(
  failures: number,
  { firstMs, maxMs }: Backoff,
  random: number = Math.random(),
): number {
  const longest = Math.min(maxMs, firstMs * 2 ** Math.min(failures, 30));
  return Math.round(longest * (0.5 + random / 2));
}
