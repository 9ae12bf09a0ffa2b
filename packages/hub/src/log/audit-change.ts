import type { AuditNews, Change } from "./store.ts";

/** An entry of the audit log, to be stored with what it tells of. */
export function audit(
  what: string,
  by: { readonly name: string },
  session: string | null,
  facts: AuditNews["facts"],
): Change {
  return { kind: "audit", news: { at: Date.now(), what, by: by.name, session, facts } };
}
