import type { Session } from "@signalbox/client";
import type { SessionChange } from "@signalbox/api";
import type { AppContext } from "../store/app-context.tsx";

/** Changes of a session that can be undone. */
export type UndoableChange = Pick<SessionChange, "title" | "pinned" | "archived">;

/** The current values of the fields that are about to change. */
export function previousValues(session: Session, change: UndoableChange): UndoableChange {
  const names = Object.keys(change) as (keyof UndoableChange)[];
  return Object.fromEntries(names.map((name) => [name, session[name]]));
}

/** Describes a change. */
export function describeChange(session: Session, change: UndoableChange): string {
  const name = `"${session.title}"`;
  if (change.title !== undefined) return `Renamed to "${change.title}"`;
  if (change.pinned !== undefined) return change.pinned ? `Pinned ${name}` : `Unpinned ${name}`;
  return change.archived ? `Archived ${name}` : `Moved ${name} out of the archive`;
}

/** Changes a session and shows a toast with an undo. */
export async function changeSession(
  { client, toasts }: Pick<AppContext, "client" | "toasts">,
  session: Session,
  change: UndoableChange,
): Promise<void> {
  const { id } = session;
  const carryOut = async (wanted: UndoableChange, failed: string, done?: () => void) => {
    try {
      await client.changeSession(id, wanted);
      done?.();
    } catch (failure) {
      toasts.showError(failed, failure);
    }
  };
  const undo = () => void carryOut(previousValues(session, change), "That could not be undone");
  await carryOut(change, `"${session.title}" was not changed`, () =>
    toasts.show(describeChange(session, change), {
      topic: `${id} ${Object.keys(change).join(" ")}`,
      actions: [{ label: "Undo", run: undo }],
    }),
  );
}
