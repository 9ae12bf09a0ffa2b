import { steadyNow } from "../clocks.ts";
import type { AnyRole } from "./roles.ts";
import { matchesHash, hashSecret, groupByFour, randomLetters, readLetters } from "./secrets.ts";

const LIFETIME_MS = 5 * 60 * 1000;
const MAX_TRIES = 5;
const ID_LETTERS = 8;
const SECRET_LETTERS = 12;
/** How many codes can wait at a time; a new one replaces the oldest. */
const MAX_WAITING = 100;

interface Waiting {
  readonly role: AnyRole;
  readonly by: string | null;
  readonly secretHash: string;
  readonly expiresAt: number;
  tries: number;
}

/**
 * Codes that each let in one device, once. The first letters identify the code and are not secret, so that a
 * wrong guess counts against that code only: five wrong guesses void a code, and guessing others does not
 * affect it. Codes are held in memory and end with the hub.
 */
export class PairingCodes {
  readonly #now: () => number;
  readonly #waiting = new Map<string, Waiting>();

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  make(role: AnyRole, by: string | null): { code: string; expiresAt: number } {
    this.#forgetOld();
    const id = randomLetters(ID_LETTERS);
    const secret = randomLetters(SECRET_LETTERS);
    const expiresAt = this.#now() + LIFETIME_MS;
    this.#waiting.set(id, { role, by, secretHash: hashSecret(secret), expiresAt, tries: 0 });
    return { code: groupByFour(id + secret), expiresAt: Math.floor(expiresAt) };
  }

  /** Uses up a code. Returns what it is for; undefined: the code is not valid. */
  redeem(typed: string): { role: AnyRole; by: string | null } | undefined {
    const found = this.#find(typed);
    if (found) this.#waiting.delete(found.id);
    return found && { role: found.role, by: found.by };
  }

  /** The role that a valid code grants, without using it up. A wrong code counts as a wrong guess. */
  peek(typed: string): AnyRole | undefined {
    return this.#find(typed)?.role;
  }

  #find(typed: string): { id: string; role: AnyRole; by: string | null } | undefined {
    const code = readLetters(typed);
    const id = code.slice(0, ID_LETTERS);
    const waiting = this.#waiting.get(id);
    const right = matchesHash(code.slice(ID_LETTERS), waiting?.secretHash);
    if (!waiting) return undefined;
    if (waiting.expiresAt <= this.#now()) {
      this.#waiting.delete(id);
      return undefined;
    }
    if (!right) {
      if (++waiting.tries >= MAX_TRIES) this.#waiting.delete(id);
      return undefined;
    }
    return { id, role: waiting.role, by: waiting.by };
  }

  /** Removes the codes that a device made. */
  removeDevice(device: string): void {
    for (const [id, { by }] of this.#waiting) if (by === device) this.#waiting.delete(id);
  }

  #forgetOld(): void {
    for (const [id, { expiresAt }] of this.#waiting) {
      if (expiresAt <= this.#now() || this.#waiting.size >= MAX_WAITING) this.#waiting.delete(id);
    }
  }
}
