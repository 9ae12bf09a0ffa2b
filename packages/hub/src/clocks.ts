/** The clocks that the hub reads. They are arguments, so that tests can set them. */
export interface Clocks {
  /** The time of day, for what is stored and shown. */
  readonly now: () => number;
  /** A clock that does not jump when the system clock is set. */
  readonly steady: () => number;
}

/** Clocks that also call at intervals. */
export interface EngineClocks extends Clocks {
  /** Calls every so many milliseconds, and does not keep the process alive. Returns what ends that. */
  readonly every: (ms: number, call: () => void) => () => void;
}

export const systemClocks: EngineClocks = {
  now: Date.now,
  steady: steadyNow,
  every(ms, call) {
    const timer = setInterval(call, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};

/**
 * The time in milliseconds. It starts at `Date.now()` and then runs steadily, whatever is done to the system
 * clock.
 */
export function steadyNow(): number {
  return performance.timeOrigin + performance.now();
}
