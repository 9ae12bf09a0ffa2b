import type { NewAuditEntry, Change } from "./store.ts";

/**
 * The author of a change: a device, or a part of the hub. Devices can be renamed, and several can
 * have the same name; ids never change.
 */
export interface AuditActor {
  readonly name: string;
  readonly device?: string;
}

/** An entry of the audit log, stored together with the change that it describes. */
export function createAuditChange(
  what: string,
  by: AuditActor | null,
  session: string | null,
  facts: NewAuditEntry["facts"],
  at = Date.now(),
): Change {
  const whose = by?.device === undefined ? {} : { byDevice: by.device };
  const news = { at, what, by: by?.name ?? null, session, facts: { ...facts, ...whose } };
  return { kind: "audit", news };
}
