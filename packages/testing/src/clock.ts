import { type Mock, spyOn } from "bun:test";
import { until } from "./until.ts";

/** Sees for how long timers are set while it lives, and lets a test say that the time has come. */
export class Clock implements Disposable {
  readonly #spies: readonly Mock<(call: () => void, ms?: number) => unknown>[] = [
    spyOn(globalThis, "setTimeout") as never,
    spyOn(globalThis, "setInterval") as never,
  ];

  /** What was to be called after exactly so many milliseconds, the newest last. */
  due(ms: number): (() => void)[] {
    const calls = this.#spies.flatMap(({ mock }) => mock.calls);
    return calls.flatMap(([call, after]) => (after === ms ? [call] : []));
  }

  /** So many milliseconds are over for whoever waits for exactly those, or will in a moment. */
  async pass(ms: number): Promise<void> {
    await until(() => this.due(ms).length > 0);
    for (const call of this.due(ms)) call();
  }

  [Symbol.dispose](): void {
    for (const spy of this.#spies) spy.mockRestore();
  }
}
