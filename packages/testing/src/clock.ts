import { type Mock, spyOn } from "bun:test";
import { until } from "./until.ts";

/** Sees for how long timers are set while it lives, and lets a test say that the time has come. */
export class Clock implements Disposable {
  readonly #spies: readonly Mock<(call: () => void, ms?: number) => unknown>[] = [
    spyOn(globalThis, "setTimeout") as never,
    spyOn(globalThis, "setInterval") as never,
  ];
  readonly #clears: readonly Mock<(timer: unknown) => void>[] = [
    spyOn(globalThis, "clearTimeout") as never,
    spyOn(globalThis, "clearInterval") as never,
  ];

  /** What was to be called after exactly so many milliseconds, also what was cleared, the newest last. */
  due(ms: number): (() => void)[] {
    return this.#find(ms, () => true);
  }

  /** What is still to be called after exactly so many milliseconds. */
  pending(ms: number): (() => void)[] {
    const cleared = new Set(this.#clears.flatMap(({ mock }) => mock.calls.map(([timer]) => timer)));
    return this.#find(ms, (timer) => !cleared.has(timer));
  }

  #find(ms: number, isWanted: (timer: unknown) => boolean): (() => void)[] {
    return this.#spies.flatMap(({ mock }) =>
      mock.calls.flatMap(([call, after], nth) =>
        after === ms && isWanted(mock.results[nth]?.value) ? [call] : [],
      ),
    );
  }

  /** So many milliseconds are over for whoever waits for exactly those, or will in a moment. */
  async pass(ms: number): Promise<void> {
    await until(() => this.due(ms).length > 0);
    for (const call of this.due(ms)) call();
  }

  [Symbol.dispose](): void {
    for (const spy of [...this.#spies, ...this.#clears]) spy.mockRestore();
  }
}
