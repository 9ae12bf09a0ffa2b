import { randomUUID } from "node:crypto";
import { type DeviceRole, type DeviceView, toShownName } from "@signalbox/protocol";
import { audit, type By } from "../log/audit-change.ts";
import type { Change, DeviceRow, Store } from "../log/store.ts";
import type { AnyRole } from "./roles.ts";
import { claimedBy, fits, hashOf, newSecret } from "./secrets.ts";

const DAY = 24 * 60 * 60 * 1000;
/** A device that is not used for so long is forgotten. */
const LIFETIME = 90 * DAY;
/** How often "last seen" is written. */
const SEEN_EVERY = 60 * 1000;

export interface NewDevice {
  readonly name: string;
  readonly role: AnyRole;
  /** Who let it in, for the audit. */
  readonly by: By | null;
  readonly how: string;
  /** For a device of the hub's own, which keeps its id: its last token ends. */
  readonly id?: string;
}

/**
 * All devices and their credentials. What is stored of a credential is its hash; each use looks it up
 * anew, so that a device that was taken away is out with its next word.
 */
export class DeviceBook {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #rows = new Map<string, DeviceRow>();
  readonly #leaving = new Set<(device: string) => void>();

  private constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  static async open(store: Store, now: () => number = Date.now): Promise<DeviceBook> {
    const book = new DeviceBook(store, now);
    for (const row of await store.devices()) book.#rows.set(row.id, row);
    return book;
  }

  /** The device whose token this is, as long as it is one. */
  authenticate(token: string): DeviceRow | undefined {
    const claim = claimedBy(token);
    const row = claim?.kind === "token" ? this.find(claim.id) : undefined;
    if (!fits(token, row?.tokenHash) || !row) return undefined;
    this.#see(row);
    return row;
  }

  find(id: string): DeviceRow | undefined {
    const row = this.#rows.get(id);
    return row && row.expiresAt > this.#now() ? row : undefined;
  }

  list(): DeviceRow[] {
    return [...this.#rows.values()].filter((row) => row.expiresAt > this.#now());
  }

  has(role: DeviceRole): boolean {
    return this.list().some((row) => row.role === role);
  }

  /** The token is told to the caller, this once. */
  async add(news: NewDevice): Promise<{ row: DeviceRow; token: string }> {
    const id = news.id ?? randomUUID();
    const token = newSecret("token", id);
    const at = this.#now();
    const row: DeviceRow = {
      id,
      name: news.name,
      role: news.role,
      tokenHash: hashOf(token),
      createdAt: at,
      lastSeenAt: null,
      expiresAt: at + LIFETIME,
    };
    const facts = { device: id, name: news.name, role: news.role, how: news.how };
    await this.#store.commit([
      { kind: "device", row },
      audit("device-paired", news.by, null, facts, at),
    ]);
    this.#rows.set(id, row);
    return { row, token };
  }

  /** Out at once, before it is stored: whoever takes a device away must not wait for a disk. */
  async revoke(id: string, by: By | null): Promise<boolean> {
    const row = this.#rows.get(id);
    if (!row) return false;
    this.#rows.delete(id);
    for (const leave of this.#leaving) leave(id);
    const facts = { device: id, name: row.name, role: row.role };
    await this.#store.commit([
      { kind: "device-gone", id },
      audit("device-revoked", by, null, facts, this.#now()),
    ]);
    return true;
  }

  /** Called with the id of each device that is taken away. */
  onRevoked(listener: (device: string) => void): () => void {
    this.#leaving.add(listener);
    return () => this.#leaving.delete(listener);
  }

  view(row: DeviceRow, you: boolean): DeviceView {
    const { id, name, role, createdAt, lastSeenAt, expiresAt } = row;
    const seen = lastSeenAt === null ? {} : { lastSeenAt };
    const shown = toShownName(name) || id; // An older hub took any name.
    return { id, name: shown, role, createdAt, ...seen, expiresAt, you };
  }

  #see(row: DeviceRow): void {
    const at = this.#now();
    if (row.lastSeenAt !== null && at - row.lastSeenAt < SEEN_EVERY && at >= row.lastSeenAt) return;
    const seen = { ...row, lastSeenAt: at, expiresAt: at + LIFETIME };
    this.#rows.set(row.id, seen);
    const change: Change = { kind: "device", row: seen };
    // Nobody waits for this one; a store that cannot write says so by its health.
    this.#store.commit([change]).catch(() => {});
  }
}
