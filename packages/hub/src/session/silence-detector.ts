import type { Clocks } from "../clocks.ts";

/** How long an agent may send nothing in the middle of a turn before the session is shown as silent. */
const SILENT_MS = 30_000;

/** Measures how long an agent has sent nothing, by a monotonic clock. */
export class SilenceDetector {
  readonly #clocks: Clocks;
  #lastActivity: number;
  #since: number | undefined;

  constructor(clocks: Clocks) {
    this.#clocks = clocks;
    this.#lastActivity = clocks.steady();
  }

  /** The wall-clock time since which the agent is silent; undefined: it is not silent. */
  get since(): number | undefined {
    return this.#since;
  }

  /** Records that the agent sent something. Returns whether it was silent until now. */
  recordActivity(): boolean {
    this.#lastActivity = this.#clocks.steady();
    const was = this.#since !== undefined;
    this.#since = undefined;
    return was;
  }

  /**
   * Checks for silence. Returns whether the agent has fallen silent, or has stopped being so because its turn
   * is over.
   */
  check(working: boolean): boolean {
    const quiet = this.#clocks.steady() - this.#lastActivity;
    const silent = working && quiet > SILENT_MS;
    if (silent === (this.#since !== undefined)) return false;
    this.#since = silent ? this.#clocks.now() - quiet : undefined;
    return true;
  }
}
