import type { AuditPage } from "@signalbox/client";

/** Says in one sentence which of the entries the hub has signed. */
export function describeSignatures({
  count,
  unsigned = count,
}: Pick<NonNullable<AuditPage["verified"]>, "count" | "unsigned">): string {
  if (unsigned === 0) return "All entries are signed by the hub.";
  if (unsigned >= count) return "No entry is signed by the hub.";
  const older = unsigned === 1 ? "Entry 1 is" : `Entries 1 to ${unsigned} are`;
  return `${older} from before the hub signed its audit log. All later entries are signed.`;
}
