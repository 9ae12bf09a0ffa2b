import type { NewAuditEntry, Change } from "./store.ts";

/** Who did it: a device, or something of the hub's own. Devices can be called anew or alike; ids stay. */
export interface AuditActor {
  readonly name: string;
  readonly device?: string;
}

/** An entry of the audit log, to be stored with what it tells of. */
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
