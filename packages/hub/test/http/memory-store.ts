import { createHash, randomUUID } from "node:crypto";
import {
  type AuditRow,
  type Change,
  type DeviceRow,
  type ReceiptRow,
  type Store,
  StoreError,
} from "../../src/store/store.ts";

/** As much of a store as the HTTP server uses, in memory, with what they wrote to look at. */
export class MemoryStore {
  readonly epoch = randomUUID();
  readonly machine = "a machine";
  readonly health = { writable: true } as const;
  readonly changes: Change[] = [];
  readonly #devices = new Map<string, DeviceRow>();
  readonly #receipts = new Map<string, ReceiptRow>();
  readonly #settings = new Map<string, string>();
  readonly #audit: AuditRow[] = [];
  readonly #blobs = new Map<string, Uint8Array>();

  asStore(): Store {
    return this as unknown as Store;
  }

  async commit(changes: readonly Change[]): Promise<void> {
    for (const change of changes) this.#apply(change);
    this.changes.push(...changes);
  }

  #apply(change: Change): void {
    if (change.kind === "device") this.#devices.set(change.row.id, change.row);
    if (change.kind === "device-gone") this.#devices.delete(change.id);
    if (change.kind === "receipt") {
      if (this.#receipts.has(change.row.id)) throw new StoreError("conflict", "it is answered");
      this.#receipts.set(change.row.id, change.row);
    }
    if (change.kind === "setting-added") {
      if (this.#settings.has(change.key)) throw new StoreError("conflict", "it is there already");
      this.#settings.set(change.key, change.value);
    }
    if (change.kind === "setting") this.#settings.set(change.key, change.value);
    if (change.kind === "setting-gone") this.#settings.delete(change.key);
    if (change.kind === "blob") this.#blobs.set(change.hash, change.bytes);
    if (change.kind === "audit") {
      const hash = createHash("sha256").update(JSON.stringify(change.news)).digest("hex");
      this.#audit.push({ ...change.news, nth: this.#audit.length + 1, hash, signature: null });
    }
  }

  /** What another store has written into its chain is in this one, too. */
  adoptAudit(other: MemoryStore): void {
    this.#audit.push(...other.#audit);
  }

  devices = async () => [...this.#devices.values()];
  receipt = async (id: string) => this.#receipts.get(id);
  setting = async (key: string) => this.#settings.get(key);
  audit = async (after = 0, limit = 1000) =>
    this.#audit.filter(({ nth }) => nth > after).slice(0, limit);
  openAsks = async () => [];
  auditBefore = async (before = Number.POSITIVE_INFINITY, limit = 100) =>
    this.#audit
      .filter(({ nth }) => nth < before)
      .toReversed()
      .slice(0, limit);
  auditHead = async () => this.#audit.at(-1)?.hash ?? "";
  checkIntegrity = async (): Promise<string[]> => [];
  verifyAudit = async () => ({
    entries: this.#audit.length,
    head: await this.auditHead(),
    unsigned: this.#audit.length,
  });
  ask = async () => undefined;
  blobSize = async (hash: string) => this.#blobs.get(hash)?.length;
  blob = async (hash: string, range?: { start: number; end: number }) =>
    this.#blobs.get(hash)?.slice(range?.start, range?.end);
}
