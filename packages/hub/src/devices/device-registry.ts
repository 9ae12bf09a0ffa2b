import { randomUUID } from "node:crypto";
import type { DeviceRole, DeviceView } from "@signalbox/api";
import { toPlainName } from "@signalbox/protocol/text";
import { createDeviceSigningKey } from "@signalbox/runner/keys";
import { createAuditChange, type AuditActor } from "../store/audit-change.ts";
import type { AuditSigning, Change, DeviceRow, Store } from "../store/store.ts";
import { AuditedDevices } from "./audited-devices.ts";
import { RevokedBeforeStoredError } from "./revoked-before-stored.ts";
import type { AnyRole } from "./roles.ts";
import { parseSecret, matchesHash, hashSecret, newSecret } from "./secrets.ts";
import { type Clocks, systemClocks } from "../clocks.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** A device that is not used for this long expires. */
const LIFETIME_MS = 90 * DAY_MS;
/** The expiry of the hub's own devices. They never expire, so that no wrong clock can lock the hub out. */
export const NEVER_EXPIRES = Number.MAX_SAFE_INTEGER;
/** How often the time of last use is stored. */
const LAST_SEEN_INTERVAL_MS = 60 * 1000;

interface NewDevice {
  readonly name: string;
  readonly role: AnyRole;
  /** Who paired the device, for the audit log. */
  readonly by: AuditActor | null;
  readonly how: string;
  /**
   * The public key of the pair that the device has made. Without it the hub makes a pair and gives it to the
   * caller.
   */
  readonly publicKey?: string;
  /** Set for a device of the hub's own, which keeps its id: its previous key is revoked. */
  readonly id?: string;
  /** Set for devices of the hub's own. */
  readonly neverExpires?: boolean;
}

export interface NewToken extends Pick<NewDevice, "name" | "by"> {
  readonly role: "viewer" | "driver";
  readonly days: number;
}

/** A device whose row is being stored. */
interface PendingWrite {
  readonly row: DeviceRow;
  /** The device from which it is paired. */
  readonly maker: string | undefined;
}

/**
 * All devices and their credentials. The store holds each device's public key. Every use looks the device up
 * again, so that a revoked device is refused at its next request.
 */
export class DeviceRegistry {
  readonly audited: AuditedDevices;
  readonly #store: Store;
  readonly #clocks: Clocks;
  readonly #rows = new Map<string, DeviceRow>();
  /**
   * Devices that are being stored. A revocation removes what it covers from here, and such a device is not
   * let in.
   */
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
   * Opens the registry. `signing` tells how this hub's audit entries are verified; without it all of them
   * count. `isAllowed` tells whether a device that the chain has may come in.
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

  /** Rows that the audit chain does not have. This hub did not write them, so they grant nothing. */
  get unauditedRows(): readonly Pick<DeviceRow, "id" | "name" | "role">[] {
    return this.#unknown;
  }

  /** The device that a token belongs to, if it is valid. Devices with keys have no token. */
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

  /**
   * Finds a device even if it has expired: such a device is refused, but can still be revoked with its
   * descendants.
   */
  findAlsoExpired(id: string): DeviceRow | undefined {
    return this.#rows.get(id);
  }

  /** Expired devices from which others were paired that are still valid. */
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

  /** Whether there is a runner that predates keys; it may live on over the hub's upgrade. */
  get hasOldRunner(): boolean {
    return this.list().some(({ role, publicKey }) => role === "runner" && publicKey === null);
  }

  /** Whether this is a program's token, made by an admin; all other tokens predate keys. */
  isProgram({ id }: DeviceRow): boolean {
    return this.audited.isProgram(id);
  }

  /** Whether a device has expired. Setting the clock forward while the hub runs expires nobody. */
  #isExpired({ id, expiresAt }: DeviceRow): boolean {
    const now = Math.min(this.#clocks.now(), this.#clocks.steady());
    if (expiresAt <= now) return true;
    // What was paired with a program's token expires with it, because the token was given for a limited time.
    return this.audited.ancestors(id).some((ancestor) => {
      const row = this.audited.isProgram(ancestor) ? this.#rows.get(ancestor) : undefined;
      return row !== undefined && row.expiresAt <= now;
    });
  }

  has(role: DeviceRole): boolean {
    return this.list().some((row) => row.role === role);
  }

  /**
   * Adds a device. `key` is the private key that the hub made for a device of its own; it is returned only
   * this once.
   */
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

  /** Makes a bearer token for a program that cannot sign. It never has the role approver, and it expires. */
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
    const { tokenHash, expiresAt } = row;
    const facts = { how: "a token for a program", tokenHash, expiresAt, scoped: true };
    await this.#write(row, "device-paired", news.by, facts);
    return { row, token };
  }

  /** Gives a device that predates keys its new key. Its token becomes invalid. */
  async giveKey(row: DeviceRow, publicKey: string): Promise<DeviceRow> {
    const keyed = { ...row, tokenHash: "", publicKey };
    await this.#write(keyed, "device-key", { name: row.name, device: row.id }, { publicKey });
    return keyed;
  }

  /** Stores a device. Rejects with `RevokedBeforeStoredError` if a revocation came first. */
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
   * Revokes a device. It is refused at once, before that is stored, because revoking must not wait for a
   * disk. Devices that it has paired and that are still being stored are revoked, too; since the store keeps
   * the order of commits, they are removed from it as well.
   */
  async revoke(id: string, by: AuditActor | null): Promise<boolean> {
    const row = this.#rows.get(id);
    if (!row) return false;
    this.#rows.delete(id);
    const revokedRows = [row, ...this.#dropPending(id)];
    for (const leave of this.#leaving) leave(id);
    this.#tellChanged();
    const changes = revokedRows.flatMap((each): Change[] => {
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

  /** Drops what is being stored of this device, and returns the devices that it was pairing. */
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

  /** Called when a device was added or removed, or got another key. */
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

  /** Records that a device is in use. This never shortens its validity, whatever the clock says. */
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
    // Nobody waits for this write. If the store cannot write, its health check reports that.
    this.#store.commit([change]).catch(() => {});
  }

  #tellChanged(): void {
    for (const listener of this.#changed) listener();
  }
}

/** The device's display name. Older hubs accepted any name, so it is made safe here. */
function getDisplayName({ id, name }: DeviceRow): string {
  return toPlainName(name) || id;
}
