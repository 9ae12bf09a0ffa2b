const shortestSleepMs = 4; // timers are not finer than this
const mostBehindMs = 1000;

/** Keeps a rate over many small steps: what one sleep overshoots, the next is short of. */
export class Pace {
  #dueMs: number | undefined;

  /** How long to sleep before the next step; 0 to go on at once. */
  next(perSecond: number, nowMs = performance.now()): number {
    const from = Math.max(this.#dueMs ?? nowMs, nowMs - mostBehindMs);
    this.#dueMs = from + 1000 / perSecond;
    const ms = this.#dueMs - nowMs;
    return ms < shortestSleepMs ? 0 : ms;
  }
}
