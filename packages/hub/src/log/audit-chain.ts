import { createHash } from "node:crypto";
import { canonicalJson } from "@signalbox/api";
import type { AuditRow, AuditVerdict } from "./store.ts";

/** The head of an empty chain. */
export const FIRST_HEAD = "0".repeat(64);

/** What an entry adds to the chain: it vouches for itself, its number, and all before it. */
export function auditHash(before: string, entry: Omit<AuditRow, "hash">): string {
  const { nth, at, what, by, session, facts } = entry;
  const text = canonicalJson({ nth, at, what, by, session, facts });
  return createHash("sha256").update(`${before}\n${text}`).digest("hex");
}

/** Walks a chain from its beginning. `keptHeads`: heads that somebody saw and that must still be in it. */
export function verifyChain(
  rows: Iterable<Omit<AuditRow, "facts"> & { readonly facts: string }>,
  keptHeads: readonly string[] = [],
): AuditVerdict {
  let entries = 0;
  let head = FIRST_HEAD;
  let broken: { nth: number; why: string } | undefined;
  const missing = new Set(keptHeads);
  missing.delete(FIRST_HEAD);
  for (const row of rows) {
    broken ??= flaw(row, entries + 1, head);
    entries += 1;
    head = row.hash;
    missing.delete(head);
  }
  if (!broken && missing.size > 0) {
    const why = `The chain ends after ${entries} entries and lacks a head that a device has kept: entries after it were cut off, or the chain was written anew.`;
    broken = { nth: entries + 1, why };
  }
  return { entries, head, ...(broken && { broken }) };
}

function flaw(
  row: Omit<AuditRow, "facts"> & { readonly facts: string },
  nth: number,
  before: string,
): { nth: number; why: string } | undefined {
  if (row.nth !== nth) {
    return { nth, why: `Entry ${nth} is missing: the next one there is has number ${row.nth}.` };
  }
  const facts = parse(row.facts);
  if (facts && auditHash(before, { ...row, facts }) === row.hash) return undefined;
  return {
    nth,
    why: `Entry ${nth} does not fit the chain: it was changed, or is not in its place.`,
  };
}

/** Undefined as well for JSON that is written otherwise than we write it. */
function parse(text: string): Record<string, unknown> | undefined {
  try {
    const facts = JSON.parse(text) as Record<string, unknown>;
    return canonicalJson(facts) === text ? facts : undefined;
  } catch {
    return undefined;
  }
}
