import { steadyNow } from "../steady-clock.ts";
const WINDOW = 60 * 1000;
/** Wrong credentials, of every kind together, that are looked at one by one within a minute. */
export const MAX_GUESSES = 50;
/** Of those, how many have an audit entry of their own. */
export const MAX_AUDITED_GUESSES = 10;

/**
 * Counts wrong credentials of every kind together. It never stands before a right one: whoever asks is
 * told "locked" only after what he brought has been found wrong.
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

  /** Notes a wrong one; true: too many. */
  count(facts: Record<string, unknown>): boolean {
    this.settle();
    this.#count++;
    if (this.#count === 1) this.#since = this.#now();
    if (this.#count <= MAX_AUDITED_GUESSES) this.#tell("login-failed", facts);
    return this.#count > MAX_GUESSES;
  }

  /** At the end of a minute, one entry for all that had none. */
  settle(): void {
    const age = this.#now() - this.#since;
    if (this.#count === 0 || (age >= 0 && age < WINDOW)) return;
    if (this.#count > MAX_AUDITED_GUESSES)
      this.#tell("login-failures", { more: this.#count - MAX_AUDITED_GUESSES });
    this.#count = 0;
  }
}
