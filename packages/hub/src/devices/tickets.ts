import { steadyNow } from "../clocks.ts";
import { randomUUID } from "node:crypto";
import { parseSecret, matchesHash, hashSecret, newSecret } from "./secrets.ts";

const LIFETIME_MS = 30 * 1000;
/** How many tickets can wait at a time; a new one replaces the oldest. */
const MAX_WAITING = 10_000;

/** Tickets that each open one WebSocket, once, within thirty seconds. */
export class Tickets<Holder> {
  readonly #now: () => number;
  readonly #waiting = new Map<string, { hash: string; holder: Holder; expiresAt: number }>();

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  make(holder: Holder): string {
    this.#forgetOld();
    const id = randomUUID();
    const ticket = newSecret("ticket", id);
    const expiresAt = this.#now() + LIFETIME_MS;
    this.#waiting.set(id, { hash: hashSecret(ticket), holder, expiresAt });
    return ticket;
  }

  redeem(ticket: string): Holder | undefined {
    const claim = parseSecret(ticket);
    const waiting = claim?.kind === "ticket" ? this.#waiting.get(claim.id) : undefined;
    if (!claim || !matchesHash(ticket, waiting?.hash) || !waiting) return undefined;
    this.#waiting.delete(claim.id);
    return waiting.expiresAt > this.#now() ? waiting.holder : undefined;
  }

  #forgetOld(): void {
    // Tickets are in the order of their creation, and so in the order of their expiry.
    for (const [id, { expiresAt }] of this.#waiting) {
      if (expiresAt > this.#now() && this.#waiting.size < MAX_WAITING) return;
      this.#waiting.delete(id);
    }
  }
}
