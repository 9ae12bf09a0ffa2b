import { randomUUID } from "node:crypto";
import type { DeviceRole, DeviceView } from "@signalbox/api";
import { toPlainName } from "@signalbox/protocol/text";
import { createDeviceSigningKey } from "@signalbox/runner";
import { createAuditChange, type AuditActor } from "../store/audit-change.ts";
import type { AuditSigning, Change, DeviceRow, Store } from "../store/store.ts";
import { AuditedDevices } from "./audited-devices.ts";
import { RevokedBeforeStoredError } from "./revoked-before-stored.ts";
import type { AnyRole } from "./roles.ts";
import { parseSecret, matchesHash, hashSecret, newSecret } from "./secrets.ts";
import { steadyNow } from "../steady-clock.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A device that is not used for so long is out. */
const LIFETIME_MS = 90 * DAY_MS;
/** What belongs to the hub itself does not expire: no clock, however wrong, takes it away. */
export const NEVER_EXPIRES = Number.MAX_SAFE_INTEGER;
/** How often "last seen" is written. */
const LAST_SEEN_INTERVAL_MS = 60 * 1000;

export interface Clocks {
  /** The time of day, for what is stored and shown. */
  readonly now: () => number;
  /** Does not jump when the clock is set. */
  readonly steady: () => number;
}
export const systemClocks: Clocks = { now: Date.now, steady: steadyNow };

export interface NewDevice {
  readonly name: string;
  readonly role: AnyRole;
  /** Who let it in, for the audit. */
  readonly by: AuditActor | null;
  readonly how: string;
  /** Of the key pair that the device has made; without one the hub makes a pair and gives it to the caller. */
  readonly publicKey?: string;
  /** For a device of the hub's own, which keeps its id: its last key ends. */
  readonly id?: string;
  /** For devices of the hub's own. */
  readonly neverExpires?: boolean;
}

export interface NewToken extends Pick<NewDevice, "name" | "by"> {
  readonly role: "viewer" | "driver";
  readonly days: number;
}

/** A device whose row is being stored. */
interface PendingWrite {
  readonly row: DeviceRow;
  /** The device that made it. */
  readonly maker: string | undefined;
}

/**
 * All devices and their credentials. What is stored of a device is its public key; each use looks it up
 * anew, so that a device that was revoked is out with its next word.
 */
export class DeviceRegistry {
  readonly audited: AuditedDevices;
  readonly #store: Store;
  readonly #clocks: Clocks;
  readonly #rows = new Map<string, DeviceRow>();
  /** A revocation takes out what it ends; such a device is not let in once it is stored. */
  readonly #pending = new Set<PendingWrite>();
  readonly #unknown: DeviceRow[] = [];
  readonly #leaving = new Set<(device: string) => void>();
  readonly #changed = new Set<() => void>();

  private constructor(store: Store, audited: AuditedDevices, clocks: Clocks) {
    this.#store = store;
    this.audited = audited;
    this.#clocks = clocks;
  }

  /**
   * `signing`: how the audit entries of this hub are known; without it all of them count. `isAllowed`: whether
   * a device that the chain knows may come in.
   */
  static async open(
    store: Store,
    clocks: Clocks = systemClocks,
    signing?: AuditSigning,
    isAllowed: (row: DeviceRow) => boolean = () => true,
  ): Promise<DeviceRegistry> {
    const rows = await store.devices();
    const audited = await AuditedDevices.read(store, signing);
    const asks = (await store.openAsks()).map(
      ({ json }) => JSON.parse(json) as { id: string; hash: string },
    );
    const adoption = audited.adoption(
      rows.filter(({ publicKey }) => publicKey === null),
      asks,
    );
    if (adoption) await store.commit([adoption]).catch(() => {});
    const devices = new DeviceRegistry(store, audited, clocks);
    for (const row of rows) {
      if (audited.matches(row) && isAllowed(row)) devices.#rows.set(row.id, row);
      else devices.#unknown.push(row);
    }
    return devices;
  }

  /** Rows that the audit chain does not know: somebody else wrote them, and they open nothing. */
  get unauditedRows(): readonly Pick<DeviceRow, "id" | "name" | "role">[] {
    return this.#unknown;
  }

  /** The device whose token this is, as long as it is one. Devices with keys have none. */
  authenticate(token: string): DeviceRow | undefined {
    const claim = parseSecret(token);
    const row = claim?.kind === "token" ? this.find(claim.id) : undefined;
    const hash = row?.publicKey === null ? row.tokenHash : undefined;
    if (!matchesHash(token, hash) || !row) return undefined;
    this.noteUse(row);
    return row;
  }

  find(id: string): DeviceRow | undefined {
    const row = this.#rows.get(id);
    return row && !this.#isExpired(row) ? row : undefined;
  }

  /** Also a device that has expired: it opens nothing, and can still be revoked with its descendants. */
  findAlsoExpired(id: string): DeviceRow | undefined {
    return this.#rows.get(id);
  }

  /** Devices that have expired and from which others were paired that are still in. */
  expiredParents(): DeviceRow[] {
    return [...this.#rows.values()].filter(
      (row) =>
        this.#isExpired(row) &&
        this.audited.descendants(row.id).some((id) => this.find(id) !== undefined),
    );
  }

  list(): DeviceRow[] {
    return [...this.#rows.values()].filter((row) => !this.#isExpired(row));
  }

  /** A runner of the version before devices had keys, which may live on over the hub's upgrade. */
  get hasOldRunner(): boolean {
    return this.list().some(({ role, publicKey }) => role === "runner" && publicKey === null);
  }

  /** A token for a program, made by an admin; all other tokens are of the time before keys. */
  isProgram({ id }: DeviceRow): boolean {
    return this.audited.isProgram(id);
  }

  /** A clock that is set ahead while the hub runs takes nobody's credential away. */
  #isExpired({ id, expiresAt }: DeviceRow): boolean {
    const now = Math.min(this.#clocks.now(), this.#clocks.steady());
    if (expiresAt <= now) return true;
    // What was let in by a program's token ends with it: the token was given for a limited time.
    return this.audited.ancestors(id).some((ancestor) => {
      const row = this.audited.isProgram(ancestor) ? this.#rows.get(ancestor) : undefined;
      return row !== undefined && row.expiresAt <= now;
    });
  }

  has(role: DeviceRole): boolean {
    return this.list().some((row) => row.role === role);
  }

  /** `key`: the private key that the hub has made for a device of its own. It is told this once. */
  async add(news: NewDevice): Promise<{ row: DeviceRow; key: string }> {
    const id = news.id ?? randomUUID();
    const made = news.publicKey === undefined ? createDeviceSigningKey(id) : undefined;
    const at = this.#clocks.now();
    const row: DeviceRow = {
      id,
      name: news.name,
      role: news.role,
      tokenHash: "",
      publicKey: news.publicKey ?? made?.publicKey ?? "",
      createdAt: at,
      lastSeenAt: null,
      expiresAt: news.neverExpires ? NEVER_EXPIRES : at + LIFETIME_MS,
    };
    await this.#write(row, "device-paired", news.by, { how: news.how, publicKey: row.publicKey });
    return { row, key: made?.text ?? "" };
  }

  /** A bearer token for a program that cannot sign; it never approves, and ends by itself. */
  async addToken(news: NewToken): Promise<{ row: DeviceRow; token: string }> {
    const id = randomUUID();
    const token = newSecret("token", id);
    const at = this.#clocks.now();
    const { name, role, days } = news;
    const row: DeviceRow = {
      id,
      name,
      role,
      tokenHash: hashSecret(token),
      publicKey: null,
      createdAt: at,
      lastSeenAt: null,
      expiresAt: at + days * DAY_MS,
    };
    const facts = { how: "a token for a program", tokenHash: row.tokenHash, scoped: true };
    await this.#write(row, "device-paired", news.by, facts);
    return { row, token };
  }

  /** A device of the time before keys has made a key: its token ends. */
  async giveKey(row: DeviceRow, publicKey: string): Promise<DeviceRow> {
    const keyed = { ...row, tokenHash: "", publicKey };
    await this.#write(keyed, "device-key", { name: row.name, device: row.id }, { publicKey });
    return keyed;
  }

  /** Rejects with `RevokedMeanwhile` where a revocation came first. */
  async #write(
    row: DeviceRow,
    what: "device-paired" | "device-key",
    by: AuditActor | null,
    more: Record<string, unknown>,
  ): Promise<void> {
    const facts = { device: row.id, name: row.name, role: row.role, ...more };
    const pending: PendingWrite = { row, maker: by?.device };
    this.#pending.add(pending);
    try {
      await this.#store.commit([
        { kind: "device", row },
        createAuditChange(what, by, null, facts, this.#clocks.now()),
      ]);
      if (!this.#pending.has(pending)) throw new RevokedBeforeStoredError(row.id);
    } finally {
      this.#pending.delete(pending);
    }
    this.audited.note({ what, facts: { ...facts, byDevice: by?.device } });
    this.#rows.set(row.id, row);
    this.#tellChanged();
  }

  /**
   * Out at once, before it is stored: whoever revokes a device must not wait for a disk. Devices that it has
   * made and that are still being stored are revoked with it. The store keeps the order of commits, so
   * that they are gone from it, too.
   */
  async revoke(id: string, by: AuditActor | null): Promise<boolean> {
    const row = this.#rows.get(id);
    if (!row) return false;
    this.#rows.delete(id);
    const gone = [row, ...this.#dropPending(id)];
    for (const leave of this.#leaving) leave(id);
    this.#tellChanged();
    const changes = gone.flatMap((each): Change[] => {
      const facts = { device: each.id, name: each.name, role: each.role };
      this.audited.note({ what: "device-revoked", facts });
      return [
        { kind: "device-gone", id: each.id },
        createAuditChange("device-revoked", by, null, facts, this.#clocks.now()),
      ];
    });
    await this.#store.commit(changes);
    return true;
  }

  /** Ends what is being stored of this device, and gives back the devices that it was making. */
  #dropPending(id: string): DeviceRow[] {
    const dropped = [...this.#pending].filter(({ row, maker }) => row.id === id || maker === id);
    for (const each of dropped) this.#pending.delete(each);
    return dropped.flatMap(({ row }) => (row.id === id ? [] : [row]));
  }

  /** Called with the id of each device that is revoked. */
  onRevoked(listener: (device: string) => void): () => void {
    this.#leaving.add(listener);
    return () => this.#leaving.delete(listener);
  }

  /** Called when a device has come, gone or got another key. */
  onChanged(listener: () => void): () => void {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  }

  view(row: DeviceRow, you: boolean): DeviceView {
    const { id, role, createdAt, lastSeenAt, expiresAt, publicKey } = row;
    const seen = lastSeenAt === null ? {} : { lastSeenAt };
    const paired = this.audited.descendants(id).flatMap((each) => {
      const found = this.find(each);
      return found ? [{ id: each, name: getDisplayName(found) }] : [];
    });
    return {
      id,
      name: getDisplayName(row),
      role,
      createdAt,
      ...seen,
      expiresAt,
      you,
      ...(paired.length > 0 && { pairedDevices: paired }),
      ...(publicKey === null && { token: true }),
    };
  }

  /** Notes that a device is in use. What it may still do never becomes less by that, whatever the clock says. */
  noteUse(row: DeviceRow): void {
    const at = this.#clocks.now();
    if (
      row.lastSeenAt !== null &&
      at - row.lastSeenAt < LAST_SEEN_INTERVAL_MS &&
      at >= row.lastSeenAt
    )
      return;
    const lives = row.publicKey === null ? row.expiresAt : at + LIFETIME_MS;
    const seen = { ...row, lastSeenAt: at, expiresAt: Math.max(row.expiresAt, lives) };
    this.#rows.set(row.id, seen);
    const change: Change = { kind: "device", row: seen };
    // Nobody waits for this one; a store that cannot write says so by its health.
    this.#store.commit([change]).catch(() => {});
  }

  #tellChanged(): void {
    for (const listener of this.#changed) listener();
  }
}

/** An older hub took any name. */
function getDisplayName({ id, name }: DeviceRow): string {
  return toPlainName(name) || id;
}
