import type { Actor } from "../actor.ts";
import { getPermissionFacts } from "../devices/audited-permissions.ts";
import { createAuditChange } from "../store/audit-change.ts";
import { isDriver } from "./driver-limits.ts";
import type { Session } from "./session.ts";

/**
 * An imported session runs in the folders that are allowed to drivers, until an approver continues it: that is
 * as if the approver had started it.
 */
export async function adoptImported(session: Session, by: Actor): Promise<void> {
  const { row, transcript } = session;
  if (!transcript?.isImported || isDriver(by) || row.options.startedBy !== "driver") return;
  const adopted = { ...row, options: { ...row.options, startedBy: by.role } };
  await session.write({ options: adopted.options }, [
    createAuditChange("options-changed", by, row.id, getPermissionFacts(adopted)),
  ]);
}
