import { createHash } from "node:crypto";
import { canonicalJson } from "@signalbox/api/proof";
import { createSignatureVerifier } from "@signalbox/runner/keys";
import type { AuditRow, AuditSigning, AuditVerdict } from "./store.ts";

/** The head of an empty chain. */
export const FIRST_HEAD = "0".repeat(64);

type StoredEntry = Omit<AuditRow, "facts"> & { readonly facts: string };
interface Flaw {
  readonly nth: number;
  readonly why: string;
}

/**
 * What an entry contributes to the chain: its hash covers the entry, its number, and all entries
 * before it.
 */
export function auditHash(before: string, entry: Omit<AuditRow, "hash" | "signature">): string {
  const { nth, at, what, by, session, facts } = entry;
  const text = canonicalJson({ nth, at, what, by, session, facts });
  return createHash("sha256").update(`${before}\n${text}`).digest("hex");
}

/** The text of an entry that the hub signs. */
export function auditSignatureText(hash: string): string {
  return `signalbox audit\n${hash}`;
}

/** Whether the hub has signed an entry with this hash. */
export function signedEntryCheck(
  publicKey: string,
): (entry: Pick<AuditRow, "hash" | "signature">) => boolean {
  const isSigned = createSignatureVerifier(publicKey);
  return ({ hash, signature }) =>
    signature !== null && isSigned(auditSignatureText(hash), signature);
}

/**
 * Verifies a chain from its beginning. `keptHeads` are heads that devices stored and that must
 * still be in it. `signing` is the entry from which entries are signed, and the key; without it
 * signatures are not checked.
 */
export function verifyChain(
  rows: Iterable<StoredEntry>,
  keptHeads: readonly string[] = [],
  signing?: AuditSigning,
): AuditVerdict {
  let entries = 0;
  let head = FIRST_HEAD;
  let broken: Flaw | undefined;
  const missing = new Set(keptHeads);
  missing.delete(FIRST_HEAD);
  const findSignatureFlaw = signing ? createSignatureCheck(signing) : () => undefined;
  for (const row of rows) {
    broken ??= findFlaw(row, entries + 1, head) ?? findSignatureFlaw(row);
    entries += 1;
    head = row.hash;
    missing.delete(head);
  }
  if (!broken && signing && entries < signing.from.nth) {
    const why = `The chain ends after ${entries} entries, but this hub signs its entries from number ${signing.from.nth} on. The end was cut off, or the chain was replaced.`;
    broken = { nth: entries + 1, why };
  }
  if (!broken && missing.size > 0) {
    const why = `The chain ends after ${entries} entries and lacks one whose hash a device has kept. Entries were cut off, or the chain was rewritten.`;
    broken = { nth: entries + 1, why };
  }
  const unsigned = signing ? Math.min(entries, signing.from.nth - 1) : entries;
  return { entries, head, unsigned, ...(broken && { broken }) };
}

function createSignatureCheck({
  publicKey,
  from,
}: AuditSigning): (row: StoredEntry) => Flaw | undefined {
  const isSigned = signedEntryCheck(publicKey);
  return (row) => {
    const { nth } = row;
    if (nth < from.nth) return undefined;
    if (nth === from.nth && row.hash !== from.hash) {
      const why = `Entry ${nth} is not the one with which this hub began to sign. The entries up to it were rewritten.`;
      return { nth, why };
    }
    if (isSigned(row)) return undefined;
    const how = row.signature === null ? "is not signed" : "is signed, but not by this hub";
    return { nth, why: `Entry ${nth} ${how}. Another program wrote it into the database.` };
  };
}

function findFlaw(row: StoredEntry, nth: number, before: string): Flaw | undefined {
  if (row.nth !== nth) {
    return { nth, why: `Entry ${nth} is missing. The next entry has number ${row.nth}.` };
  }
  const facts = parse(row.facts);
  if (facts && auditHash(before, { ...row, facts }) === row.hash) return undefined;
  return {
    nth,
    why: `Entry ${nth} does not fit the chain. It was changed or moved.`,
  };
}

/** Also undefined for JSON in a form that this program does not write. */
function parse(text: string): Record<string, unknown> | undefined {
  try {
    const facts = JSON.parse(text) as Record<string, unknown>;
    return canonicalJson(facts) === text ? facts : undefined;
  } catch {
    return undefined;
  }
}
