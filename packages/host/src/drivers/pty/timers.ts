/** Timers that tests can move. */
export interface Timers {
  /** Calls back once after this time; the result cancels it. */
  after(ms: number, call: () => void): () => void;
}

export const systemTimers: Timers = {
  after(ms, call) {
    const timer = setTimeout(call, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
