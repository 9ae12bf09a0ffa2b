import type { AuditPage } from "@signalbox/client";

/** Which of the entries the hub has signed, in a sentence. */
export function describeSignatures({
  count,
  unsigned = count,
}: Pick<NonNullable<AuditPage["verified"]>, "count" | "unsigned">): string {
  if (unsigned === 0) return "The hub has signed all of them.";
  if (unsigned >= count) return "None of them is signed by the hub.";
  const before = unsigned === 1 ? "Entry 1 was" : `Entries 1 to ${unsigned} were`;
  return `${before} written before the hub signed its audit log, and the hub has signed the others.`;
}
