import { HubRefusal } from "../refusal.ts";
import type { SessionRow } from "../store/store.ts";

/** How long a session stays in the trash before it is deleted. */
export const TRASH_MS = 30 * 24 * 3_600_000;

export function isTrashed({ row }: { readonly row: Pick<SessionRow, "trashedAt"> }): boolean {
  return row.trashedAt !== null;
}

/** Refuses to start or to write to a session in the trash. */
export function requireOutsideTrash(row: Pick<SessionRow, "trashedAt">): void {
  if (row.trashedAt === null) return;
  throw new HubRefusal(409, "in-trash", "This session is in the trash. Restore it first.");
}
