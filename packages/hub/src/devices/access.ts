import { hostname } from "node:os";
import type { DeviceView, Pairing } from "@signalbox/protocol";
import { type Actor, Refusal } from "../engine.ts";
import type { DeviceRow, Store } from "../log/store.ts";
import { DeviceBook } from "./device-book.ts";
import { distinctName } from "./distinct-name.ts";
import { Elevations } from "./elevations.ts";
import { GuessLimit } from "./guess-limit.ts";
import { type Identity, openIdentity } from "./identity.ts";
import { PairingCodes } from "./pairing-codes.ts";
import { type AnyRole, makerOf, mayManage } from "./roles.ts";
import { claimedBy } from "./secrets.ts";
import { steadyNow } from "./steady-clock.ts";
import { Tickets } from "./tickets.ts";

/** Who is at the door. The role is the one the hub knows, whatever the other side says. */
export type Credential =
  | { readonly kind: "person"; readonly actor: Actor; readonly elevation: string | undefined }
  | { readonly kind: "runner"; readonly device: string };
export type Person = Extract<Credential, { kind: "person" }>;

export interface Clocks {
  /** The time of day, for what is stored. */
  readonly now: () => number;
  /** For what lives in memory. */
  readonly steady: () => number;
}

/** Everybody who may come in, and how one becomes somebody who may. */
export class Access {
  readonly book: DeviceBook;
  readonly identity: Identity;
  readonly elevations: Elevations;
  readonly #codes: PairingCodes;
  readonly #tickets: Tickets<Person>;
  readonly #guesses: GuessLimit;
  /** Names of devices that are being written down. */
  readonly #coming = new Set<string>();
  readonly #elevationsChanged = new Set<() => void>();

  private constructor(store: Store, book: DeviceBook, identity: Identity, clocks: Clocks) {
    this.book = book;
    this.identity = identity;
    this.#codes = new PairingCodes(clocks.steady);
    this.#tickets = new Tickets(clocks.steady);
    this.elevations = new Elevations(() => {
      for (const listener of this.#elevationsChanged) listener();
    }, clocks.steady);
    this.#guesses = new GuessLimit((what, facts) => {
      const news = { at: clocks.now(), what, by: null, session: null, facts };
      store.commit([{ kind: "audit", news }]).catch(() => {});
    }, clocks.steady);
    book.onRevoked((device) => {
      this.#codes.dropOf(device);
      this.elevations.dropOf(device);
    });
  }

  static async open(
    store: Store,
    clocks: Clocks = { now: Date.now, steady: steadyNow },
  ): Promise<Access> {
    const book = await DeviceBook.open(store, clocks.now);
    return new Access(store, book, await openIdentity(store), clocks);
  }

  /** Whose token this is; undefined: nobody's, or nobody's any more. */
  authenticate(token: string): Credential | undefined {
    if (claimedBy(token)?.kind === "elevation") {
      const elevation = this.elevations.authenticate(token);
      const row = elevation && this.book.find(elevation.device);
      return row && personOf(row, elevation);
    }
    const row = this.book.authenticate(token);
    if (row?.role === "runner") return { kind: "runner", device: row.id };
    return row && personOf(row, undefined);
  }

  /** Looks again: is this still who it was when it came in? */
  stillHolds(credential: Credential): boolean {
    if (credential.kind === "runner") return this.book.find(credential.device)?.role === "runner";
    const { actor, elevation } = credential;
    const row = this.book.find(actor.device);
    if (!row) return false;
    return elevation === undefined ? row.role === actor.role : this.elevations.use(elevation);
  }

  /** Notes a wrong credential of whatever kind; true: there are too many of them. */
  wrongGuess(facts: Record<string, unknown>): boolean {
    return this.#guesses.wrong(facts);
  }

  invite(role: AnyRole, by: Person, origin: string): Pairing {
    // A terminal that an approver has confirmed may add a machine, which opens a link and nothing else.
    if (role !== "runner") requireLasting(by, "pair a device");
    if (!mayManage(by.actor.role, role)) {
      throw new Refusal(
        403,
        "role-too-weak",
        `A device of the role ${role} can be made only by a device of the role ${makerOf(role)} or above; this one is ${by.actor.role}.`,
      );
    }
    return this.#pairing(role, by.actor.device, origin);
  }

  /** For the hub's own terminal alone: whoever reads it becomes the one who decides. */
  inviteFirst(origin: string): Pairing {
    return this.#pairing("admin", null, origin);
  }

  async pair(code: string, name: string): Promise<{ token: string; device: DeviceView } | null> {
    const meant = this.#codes.redeem(code);
    if (!meant) return null;
    const how = meant.by === null ? "the hub's own terminal" : "a pairing code";
    const inviter = meant.by === null ? undefined : this.book.find(meant.by);
    const by = inviter ? { name: inviter.name, device: inviter.id } : null;
    // The hub's own machine goes by its host name, which is no device's.
    const machine = meant.role === "runner" ? [hostname()] : [];
    const taken = [...this.book.list().map((row) => row.name), ...this.#coming, ...machine];
    const own = distinctName(name, taken);
    this.#coming.add(own);
    try {
      const { row, token } = await this.book.add({ name: own, role: meant.role, by, how });
      return { token, device: this.book.view(row, true) };
    } finally {
      this.#coming.delete(own);
    }
  }

  /** Whom a code would make; undefined: nobody. */
  pairsAs(code: string): AnyRole | undefined {
    return this.#codes.look(code);
  }

  ticket(holder: Person): string {
    return this.#tickets.make(holder);
  }

  redeemTicket(ticket: string): Person | undefined {
    const holder = this.#tickets.redeem(ticket);
    return holder && this.stillHolds(holder) ? holder : undefined;
  }

  onElevations(listener: () => void): () => void {
    this.#elevationsChanged.add(listener);
    return () => this.#elevationsChanged.delete(listener);
  }

  #pairing(role: AnyRole, by: string | null, origin: string): Pairing {
    const { code, expiresAt } = this.#codes.make(role, by);
    return { code, url: `${origin}/#pair=${code}`, expiresAt };
  }
}

/** A terminal that was lifted goes by its own name: all of them share the command line's device. */
function personOf(
  row: DeviceRow,
  elevation: { id: string; name: string } | undefined,
): Credential | undefined {
  if (row.role === "runner") return undefined;
  const { id: device } = row;
  const actor: Actor = elevation
    ? { device, name: `terminal ${elevation.name}`, role: "approver" }
    : { device, name: row.name, role: row.role };
  return { kind: "person", actor, elevation: elevation?.id };
}

/** A terminal that was lifted may answer asks and add machines; it may not lift or let in others. */
export function requireLasting(person: Person, what: string): void {
  if (person.elevation === undefined) return;
  throw new Refusal(
    403,
    "lasting-device-needed",
    `A terminal that was confirmed for a while cannot ${what}. Do it on the device that confirmed it.`,
  );
}
