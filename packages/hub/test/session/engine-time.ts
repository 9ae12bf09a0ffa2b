import { type EngineClocks, systemClocks } from "../../src/clocks.ts";

/**
 * The clocks of an engine, in a test's hands. The engine looks at them when the test says so, and sees what
 * the test has set: no test waits for time, and none is too slow.
 */
export class EngineTime implements EngineClocks {
  #look: (() => void) | undefined;
  #steadyAheadMs = 0;
  #wallAheadMs = 0;

  readonly now = () => systemClocks.now() + this.#wallAheadMs;
  readonly steady = () => systemClocks.steady() + this.#steadyAheadMs;

  /** Called by the engine; of several engines, one after the other, the newest counts. */
  readonly every = (_ms: number, look: () => void) => {
    this.#look = look;
    return () => {
      if (this.#look === look) this.#look = undefined;
    };
  };

  /** The engine looks at its clocks once. */
  tick(): void {
    if (!this.#look) throw new Error("no engine was opened with these clocks");
    this.#look();
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
}
