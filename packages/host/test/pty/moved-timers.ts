import type { Timers } from "../../src/drivers/pty/timers.ts";

/** Timers whose time passes when a test says so. */
export class MovedTimers implements Timers {
  #now = 0;
  #due: { readonly at: number; readonly call: () => void }[] = [];

  after(ms: number, call: () => void): () => void {
    const timer = { at: this.#now + ms, call };
    this.#due.push(timer);
    return () => void (this.#due = this.#due.filter((other) => other !== timer));
  }

  pass(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const [next] = this.#due.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (!next) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = next.at;
      next.call();
    }
    this.#now = end;
  }

  /** Lets what waits for promises go on between the timers. */
  async passSlowly(ms: number, step = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      this.pass(step);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
