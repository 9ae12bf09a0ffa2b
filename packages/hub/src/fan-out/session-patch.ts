import type { SessionPatch, SessionSummary } from "@signalbox/api";

type Fields = Readonly<Record<string, unknown>>;
type FieldChanges = Pick<SessionPatch, "set" | "unset">;

/** What has to be changed in `before` to make it `after`. */
export function diffSession(before: SessionSummary, after: SessionSummary): SessionPatch {
  const { summary: oldSummary, ...old } = before;
  const { summary, ...now } = after;
  const changes = diffFields({ ...oldSummary }, { ...summary });
  return {
    id: after.id,
    ...diffFields(old, now),
    ...(!isEmpty(changes) && { summary: changes }),
  };
}

/** Fields that change with every stored line while an agent works. */
const QUIET_FIELDS = new Set(["rev", "changedAt", "lastActivityAt"]);

/** Whether a patch only says that the session is still active. */
export function isQuiet({ set, unset, summary }: SessionPatch): boolean {
  const fields = [set, summary?.set ?? {}].flatMap((changes) => Object.keys(changes));
  const removedFields = [...(unset ?? []), ...(summary?.unset ?? [])];
  return removedFields.length === 0 && fields.every((field) => QUIET_FIELDS.has(field));
}

function diffFields(before: Fields, after: Fields): FieldChanges {
  const changed = Object.entries(after).filter(([field, value]) => !isSame(before[field], value));
  const unset = Object.keys(before).filter(
    (field) => before[field] !== undefined && after[field] === undefined,
  );
  return { set: Object.fromEntries(changed), ...(unset.length > 0 && { unset }) };
}

function isSame(before: unknown, after: unknown): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

function isEmpty({ set, unset }: FieldChanges): boolean {
  return unset === undefined && Object.keys(set).length === 0;
}
