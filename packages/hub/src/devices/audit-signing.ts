import { FIRST_HEAD } from "../store/audit-chain.ts";
import { createAuditChange } from "../store/audit-change.ts";
import type { AuditSigning, Store } from "../store/store.ts";
import { type Identity, storeAuditStart } from "./identity.ts";

/** The kind of the entry with which signing begins. It says which entries before it are not signed. */
const SIGNING_BEGAN = "audit-signing-began";

export interface AuditSigningOptions {
  /** The data folder, which holds the start of signing; without it the audit log is not signed. */
  readonly folder: string | undefined;
  /** Whether a person has said that the database starts over. */
  readonly newDatabase?: boolean;
}

/**
 * Makes the store sign audit entries with the hub's key, and returns how this hub's entries are verified. In
 * an existing chain, signing begins with an entry that holds the hash of the last unsigned one. That start is
 * kept beside the key and not only in the database, because whoever can write the database could start the
 * chain anew.
 */
export async function openAuditSigning(
  store: Store,
  identity: Identity,
  { folder, newDatabase = false }: AuditSigningOptions,
): Promise<AuditSigning | undefined> {
  if (folder === undefined) return undefined;
  const { key, auditStart } = identity;
  if (store.health.writable) store.signAudit(key.pkcs8);
  const head = await store.auditHead();
  const beginsAnew = newDatabase && head === FIRST_HEAD;
  if (auditStart && !beginsAnew) return { publicKey: key.publicKey, from: auditStart };
  try {
    const { entries } = await store.verifyAudit();
    await store.commit([
      createAuditChange(SIGNING_BEGAN, null, null, { unsignedEntries: entries, head }),
    ]);
    const began = (await store.auditBefore(undefined, 10)).find(
      ({ what }) => what === SIGNING_BEGAN,
    );
    if (!began) return undefined;
    const from = { nth: began.nth, hash: began.hash };
    return storeAuditStart(folder, from) ? { publicKey: key.publicKey, from } : undefined;
  } catch {
    return undefined; // Nothing can be stored; the next start tries again.
  }
}
