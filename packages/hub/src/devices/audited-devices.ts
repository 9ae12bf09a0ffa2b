import { createAuditChange } from "../store/audit-change.ts";
import type { AuditRow, AuditSigning, Change, DeviceRow, Store } from "../store/store.ts";
import { auditEntries, type EntryCheck, openEntryCheck } from "./audit-entry-check.ts";
import { AuditedPermissions } from "./audited-permissions.ts";
import { AuditedSettings } from "./audited-settings.ts";

/** What the audit chain says about a device that is paired. */
interface AuditedDevice {
  readonly role: string;
  readonly publicKey: string | null;
  readonly tokenHash: string | null;
  /** When a program's token ends. Entries of earlier versions do not have it. */
  readonly expiresAt?: number;
}

/** What the audit chain says about an ask that is open. */
interface AuditedAsk {
  readonly hash: string;
  /** Of the whole ask; entries of earlier versions do not have it. */
  readonly digest?: string;
  readonly isOurs: () => boolean;
}

/** Written once, when a store that predates keys is opened: the devices of that moment count from then on. */
const ADOPTED = "devices-adopted";
/** The kinds of entries that decide who is let in. Such entries count only if this hub has written them. */
const deviceEntryKinds = new Set(["device-paired", "device-key", "device-revoked", ADOPTED]);

/**
 * The devices according to the audit chain. A row of the table `devices` that the chain does not have, or has
 * with another role or key, was not written by this hub: it grants nothing, and is reported.
 */
export class AuditedDevices {
  /** What the same entries say about the permissions of sessions. */
  readonly permissions = new AuditedPermissions();
  /** What they say about the settings that decide what agents may do. */
  readonly settings = new AuditedSettings();
  readonly #devices = new Map<string, AuditedDevice>();
  /** The device from which each device was paired. This stays known when one of them is revoked. */
  readonly #pairedBy = new Map<string, string>();
  /** The tokens of programs, which an admin made. */
  readonly #programs = new Set<string>();
  readonly #openAsks = new Map<string, AuditedAsk>();
  readonly #forged: AuditRow[] = [];
  #hasKeys = false;
  #adopted = false;

  /** Reads the chain. `signing` tells how this hub's entries are verified; without it all entries count. */
  static async read(store: Store, signing?: AuditSigning): Promise<AuditedDevices> {
    const audited = new AuditedDevices();
    const isOurs: EntryCheck = signing ? await openEntryCheck(store, signing) : () => true;
    for await (const { row, before } of auditEntries(store)) {
      let known: boolean | undefined;
      const isOursOnce = () => (known ??= isOurs(row, before)); // verifying a signature is slow
      audited.permissions.note(row, isOursOnce);
      audited.settings.note(row, isOursOnce);
      if (!deviceEntryKinds.has(row.what)) audited.note(row, isOursOnce);
      else if (isOursOnce()) audited.note(row);
      else audited.#forged.push(row);
    }
    return audited;
  }

  /** Entries about devices that this hub has not written, or has written differently. */
  get forged(): readonly Pick<AuditRow, "nth" | "what">[] {
    return this.#forged;
  }

  /**
   * Applies an entry. Entries that predate keys hold neither key nor token; the adoption entry does. For
   * asks, `isOurs` is called only while they are open, because verifying a signature is slow.
   */
  note({ what, facts }: Pick<AuditRow, "what" | "facts">, isOurs = () => true): void {
    const { device, role, publicKey, tokenHash, expiresAt, byDevice, ask, hash, digest } = facts;
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    if (what === "device-paired" && typeof device === "string") {
      this.#hasKeys ||= text(publicKey) !== null;
      this.#devices.set(device, {
        role: String(role),
        publicKey: text(publicKey),
        tokenHash: text(tokenHash),
        ...(typeof expiresAt === "number" && { expiresAt }),
      });
      if (typeof byDevice === "string") this.#pairedBy.set(device, byDevice);
      if (facts.scoped === true) this.#programs.add(device);
    }
    if (what === "device-key" && typeof device === "string") {
      const known = this.#devices.get(device);
      if (known)
        this.#devices.set(device, { ...known, publicKey: text(publicKey), tokenHash: null });
      this.#hasKeys = true;
    }
    if (what === "device-revoked" && typeof device === "string") this.#devices.delete(device);
    if (what === ADOPTED) this.#adopt(facts);
    if (what === "asked" && typeof ask === "string") {
      const whole = typeof digest === "string" ? { digest } : {};
      this.#openAsks.set(ask, { hash: String(hash), ...whole, isOurs });
    }
    if ((what === "answered" || what === "expired") && typeof ask === "string") {
      this.#openAsks.delete(ask);
    }
  }

  matches(row: DeviceRow): boolean {
    const known = this.#devices.get(row.id);
    if (!known || known.role !== row.role || known.publicKey !== row.publicKey) return false;
    if (known.expiresAt !== undefined && row.expiresAt > known.expiresAt) return false;
    return row.publicKey !== null || known.tokenHash === row.tokenHash;
  }

  /** Whether the chain has the opening of an ask of this id and hash, which looked as this digest says. */
  knowsAsk(id: string, hash: string, digest: string): boolean {
    const asked = this.#openAsks.get(id);
    if (asked?.hash !== hash || (asked.digest ?? digest) !== digest) return false;
    return asked.isOurs();
  }

  /** All devices that were paired from this one, directly or through others, including revoked ones. */
  descendants(device: string): string[] {
    const found = new Set([device]);
    for (const ancestor of found) {
      for (const [id, pairedBy] of this.#pairedBy) if (pairedBy === ancestor) found.add(id);
    }
    found.delete(device);
    return [...found].filter((id) => this.#devices.has(id));
  }

  /** The device from which this one was paired, that one's, and so on. */
  ancestors(device: string): string[] {
    const found = new Set<string>();
    for (let id = this.#pairedBy.get(device); id !== undefined && !found.has(id);) {
      found.add(id);
      id = this.#pairedBy.get(id);
    }
    return [...found];
  }

  isProgram(device: string): boolean {
    return this.#programs.has(device);
  }

  /**
   * The entry that adopts existing devices; undefined: there is nothing to adopt, since the chain has keys or
   * an adoption already.
   */
  adoption(
    devices: readonly DeviceRow[],
    asks: readonly { id: string; hash: string }[],
  ): Change | undefined {
    if (this.#hasKeys || this.#adopted || (devices.length === 0 && asks.length === 0))
      return undefined;
    const facts = {
      devices: devices.map(({ id, role, tokenHash }) => ({ id, role, tokenHash })),
      asks: asks.map(({ id, hash }) => ({ id, hash })),
    };
    this.note({ what: ADOPTED, facts });
    return createAuditChange(ADOPTED, null, null, facts);
  }

  #adopt(facts: Readonly<Record<string, unknown>>): void {
    if (this.#hasKeys || this.#adopted) return; // adopted once, and only before there were keys
    this.#adopted = true;
    const { devices, asks } = facts as {
      devices?: { id: string; role: string; tokenHash: string }[];
      asks?: { id: string; hash: string }[];
    };
    for (const { id, role, tokenHash } of devices ?? []) {
      this.#devices.set(id, { role, tokenHash, publicKey: null });
    }
    for (const { id, hash } of asks ?? []) this.#openAsks.set(id, { hash, isOurs: () => true });
  }
}
