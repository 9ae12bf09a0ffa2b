import { Clock } from "@signalbox/testing/clock";

/** How often an engine of these tests looks at its clocks by itself: never within a test. */
export const TICK_MS = 86_400_001;

/**
 * The time of an engine that was opened with `tickMs: TICK_MS`, in a test's hands. It looks at its clocks
 * when the test says so, and sees what the test has set: no test waits for time, and none is too slow.
 * It is made before the engine is.
 */
export class EngineTime implements Disposable {
  readonly #timers = new Clock();
  readonly #steady = performance.now.bind(performance);
  readonly #wall = Date.now;
  #steadyAheadMs = 0;
  #wallAheadMs = 0;

  constructor() {
    performance.now = () => this.#steady() + this.#steadyAheadMs;
    Date.now = () => this.#wall() + this.#wallAheadMs;
  }

  /** The newest engine looks at its clocks once. */
  tick(): void {
    const look = this.#timers.due(TICK_MS).at(-1);
    if (!look) throw new Error("no engine was opened with this tick");
    look();
  }

  /** So much time passes on both clocks between one look and the next. */
  pass(ms: number): void {
    this.#steadyAheadMs += ms;
    this.#wallAheadMs += ms;
    this.tick();
  }

  /** Somebody sets the clock on the wall: ahead of its true time, or back with a negative number. */
  setWall(aheadMs: number): void {
    this.#wallAheadMs = aheadMs;
  }

  [Symbol.dispose](): void {
    performance.now = this.#steady;
    Date.now = this.#wall;
    this.#timers[Symbol.dispose]();
  }
}
