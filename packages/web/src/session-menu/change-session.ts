import type { Session } from "@signalbox/client";
import type { SessionChange } from "@signalbox/api";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.menus;

/** Changes of a session that can be undone. */
export type UndoableChange = Pick<SessionChange, "title" | "pinned" | "archived">;

/** The current values of the fields that are about to change. */
export function previousValues(session: Session, change: UndoableChange): UndoableChange {
  const names = Object.keys(change) as (keyof UndoableChange)[];
  return Object.fromEntries(names.map((name) => [name, session[name]]));
}

/** Describes a change. */
export function describeChange(session: Session, change: UndoableChange): string {
  const { title } = session;
  if (change.title !== undefined) return text.renamedTo(change.title);
  if (change.pinned !== undefined) return change.pinned ? text.pinned(title) : text.unpinned(title);
  return change.archived ? text.archived(title) : text.unarchived(title);
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
  const undo = () => void carryOut(previousValues(session, change), text.couldNotUndo);
  await carryOut(change, text.couldNotChange(session.title), () =>
    toasts.show(describeChange(session, change), {
      topic: `${id} ${Object.keys(change).join(" ")}`,
      actions: [{ label: text.undo, run: undo }],
    }),
  );
}
