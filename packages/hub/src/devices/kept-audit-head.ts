import { join } from "node:path";
import * as z from "zod";
import { readPrivateFile, replacePrivateFile } from "../data/private-file.ts";
import type { DeviceRow, Store } from "../store/store.ts";

/** The file beside the hub's key that holds the newest audit entry and the devices that were valid then. */
export const AUDIT_HEAD_FILE = "audit-head.json";

const entry = z.object({ nth: z.int().min(0), hash: z.string() });
type Entry = z.infer<typeof entry>;
const keptHead = entry.extend({
  devices: z.array(
    z.object({
      id: z.string(),
      role: z.string(),
      publicKey: z.string().nullable(),
      tokenHash: z.string(),
    }),
  ),
  /**
   * A head that was once in the database and is missing now. It is kept here, so that each start reports it.
   */
  missing: entry.optional(),
});
type KeptHead = z.infer<typeof keptHead>;

/**
 * Keeps the end of the audit log outside of the database. A chain whose end was cut off is still correctly
 * signed, so that a device whose revocation was cut off would be let in again. If the chain ends before the
 * kept head, only devices that were valid as of that head are let in.
 */
export class KeptAuditHead {
  readonly #store: Store;
  readonly #path: string | undefined;
  #storedHead: KeptHead | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(store: Store, path: string | undefined, storedHead: KeptHead | undefined) {
    this.#store = store;
    this.#path = path;
    this.#storedHead = storedHead;
  }

  /** Opens the kept head. `folder` is the data folder; without it nothing is kept. */
  static async open(
    store: Store,
    { folder, isNewDatabase }: { folder: string | undefined; isNewDatabase: boolean },
  ): Promise<KeptAuditHead> {
    const path = folder === undefined ? undefined : join(folder, AUDIT_HEAD_FILE);
    const text = path === undefined || isNewDatabase ? undefined : readPrivateFile(path);
    const storedHead = text === undefined ? undefined : keptHead.parse(JSON.parse(text));
    if (!storedHead || storedHead.missing || (await hasEntry(store, storedHead))) {
      return new KeptAuditHead(store, path, storedHead);
    }
    const { nth, hash } = storedHead;
    return new KeptAuditHead(store, path, { ...storedHead, missing: { nth, hash } });
  }

  /** The head that is missing from the chain. */
  get missing(): Entry | undefined {
    return this.#storedHead?.missing;
  }

  /** A description of the problem for a person; undefined: nothing is missing. */
  get problem(): string | undefined {
    if (!this.missing) return undefined;
    return `The end of the audit log was cut off: entry ${this.missing.nth}, which this hub has kept the hash of, is missing. Only devices that were paired as of that entry are let in. Look at \`signalbox audit --verify\`, and at who could write the hub's database.`;
  }

  /** Whether a device that the chain has may come in. */
  allows({ id, role, publicKey, tokenHash }: DeviceRow): boolean {
    if (!this.#storedHead?.missing) return true;
    return this.#storedHead.devices.some(
      (storedDevice) =>
        storedDevice.id === id &&
        storedDevice.role === role &&
        storedDevice.publicKey === publicKey &&
        storedDevice.tokenHash === tokenHash,
    );
  }

  /**
   * Keeps the newest entry with the current devices. It never rejects, because the next change tries again.
   */
  keep(listDevices: () => readonly DeviceRow[]): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write(listDevices)).catch(() => {});
    return this.#writing;
  }

  async #write(listDevices: () => readonly DeviceRow[]): Promise<void> {
    if (this.#path === undefined || !this.#store.health.writable) return;
    const [last] = await this.#store.auditBefore(undefined, 1);
    if (!last) return;
    const devices = listDevices().map(({ id, role, publicKey, tokenHash }) => {
      return { id, role, publicKey, tokenHash };
    });
    const { missing } = this;
    const head = { nth: last.nth, hash: last.hash, devices, ...(missing && { missing }) };
    if (JSON.stringify(head) === JSON.stringify(this.#storedHead)) return;
    replacePrivateFile(this.#path, `${JSON.stringify(head)}\n`);
    this.#storedHead = head;
  }
}

async function hasEntry(store: Store, { nth, hash }: Entry): Promise<boolean> {
  const [found] = await store.audit(nth - 1, 1);
  return found?.nth === nth && found.hash === hash;
}
