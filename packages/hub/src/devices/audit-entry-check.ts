import { auditHash, FIRST_HEAD, signedEntryCheck } from "../store/audit-chain.ts";
import type { AuditRow, AuditSigning, Store } from "../store/store.ts";

const PAGE = 1000;

/** Whether this hub has written an entry, given the hash of the entry before it. */
export type EntryCheck = (row: AuditRow, before: string) => boolean;

/** Reads the audit log from its beginning, each entry with the hash of the one before it. */
export async function* auditEntries(
  store: Store,
): AsyncGenerator<{ readonly row: AuditRow; readonly before: string }> {
  let before = FIRST_HEAD;
  for (let after = 0; ;) {
    const rows = await store.audit(after, PAGE);
    for (const row of rows) {
      yield { row, before };
      before = row.hash;
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last.nth;
  }
}

/**
 * Creates a check for audit entries. Entries from before the hub signed them count if their chain leads to
 * the entry with which signing began, whose hash is kept outside of the database. Every later entry counts by
 * its own signature.
 */
export async function openEntryCheck(store: Store, signing: AuditSigning): Promise<EntryCheck> {
  const { publicKey, from } = signing;
  const isSigned = signedEntryCheck(publicKey);
  const isWhole = await chainLeadsTo(store, from);
  return (row, before) => {
    if (row.nth <= from.nth) return isWhole;
    return auditHash(before, row) === row.hash && isSigned(row);
  };
}

async function chainLeadsTo(store: Store, { nth, hash }: AuditSigning["from"]): Promise<boolean> {
  let expected = 1;
  for await (const { row, before } of auditEntries(store)) {
    if (row.nth !== expected || auditHash(before, row) !== row.hash) return false;
    if (row.nth === nth) return row.hash === hash;
    expected += 1;
  }
  return false;
}
