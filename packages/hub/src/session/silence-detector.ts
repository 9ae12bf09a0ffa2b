/** An agent that says nothing for so long in the middle of a turn is called silent. */
const SILENT_MS = 30_000;

/** How long an agent has said nothing. Counted by a clock that nobody sets. */
export class SilenceDetector {
  #lastActivity = performance.now();
  #since: number | undefined;

  /** Since when, as a person reads it; undefined: it is not silent. */
  get since(): number | undefined {
    return this.#since;
  }

  /** True: it was silent until now. */
  recordActivity(): boolean {
    this.#lastActivity = performance.now();
    const was = this.#since !== undefined;
    this.#since = undefined;
    return was;
  }

  /** True: it has fallen silent, or has nothing to say any more. */
  check(working: boolean): boolean {
    const quiet = performance.now() - this.#lastActivity;
    const silent = working && quiet > SILENT_MS;
    if (silent === (this.#since !== undefined)) return false;
    this.#since = silent ? Date.now() - quiet : undefined;
    return true;
  }
}
