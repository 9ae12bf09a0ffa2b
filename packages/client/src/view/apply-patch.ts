import type { SessionPatch } from "@signalbox/api";
import type { Session } from "../contract.ts";

/** The session with the changes of a patch. What did not change stays the same object. */
export function applyPatch(session: Session, { set, unset, summary }: SessionPatch): Session {
  const changed: Session = { ...session, ...set };
  for (const field of unset ?? []) Reflect.deleteProperty(changed, field);
  if (!summary) return changed;
  const newSummary = { ...session.summary, ...summary.set };
  for (const field of summary.unset ?? []) Reflect.deleteProperty(newSummary, field);
  return { ...changed, summary: newSummary };
}
