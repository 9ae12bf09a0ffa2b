import { steadyNow } from "../clocks.ts";
const WINDOW = 60 * 1000;
/** How many wrong credentials of all kinds together are checked within a minute. */
const MAX_GUESSES = 50;
/** How many of those get an audit entry of their own. */
export const MAX_AUDITED_GUESSES = 10;

/**
 * Counts wrong credentials of all kinds together. It never rejects a right one: a caller is told "locked"
 * only after its credential was found to be wrong.
 */
export class GuessLimiter {
  readonly #now: () => number;
  readonly #tell: (what: "login-failed" | "login-failures", facts: Record<string, unknown>) => void;
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(
    tell: (what: "login-failed" | "login-failures", facts: Record<string, unknown>) => void,
    now: () => number = steadyNow,
  ) {
    this.#tell = tell;
    this.#now = now;
  }

  /** Counts a wrong credential. Returns whether there are too many. */
  count(facts: Record<string, unknown>): boolean {
    this.settle();
    this.#count++;
    if (this.#count === 1) this.#since = this.#now();
    if (this.#count <= MAX_AUDITED_GUESSES) this.#tell("login-failed", facts);
    return this.#count > MAX_GUESSES;
  }

  /** At the end of a minute, writes one audit entry for all that had none. */
  settle(): void {
    const age = this.#now() - this.#since;
    if (this.#count === 0 || (age >= 0 && age < WINDOW)) return;
    if (this.#count > MAX_AUDITED_GUESSES)
      this.#tell("login-failures", { more: this.#count - MAX_AUDITED_GUESSES });
    this.#count = 0;
  }
}
