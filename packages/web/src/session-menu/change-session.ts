import type { Session } from "@signalbox/client";
import type { SessionChange } from "@signalbox/api";
import type { World } from "../store/app-context.tsx";

/** What a person changes of a session and may take back. */
export type Undoable = Pick<SessionChange, "title" | "pinned" | "archived" | "colour">;

/** How it was, of what is about to change. */
export function before(session: Session, change: Undoable): Undoable {
  const names = Object.keys(change) as (keyof Undoable)[];
  return Object.fromEntries(names.map((name) => [name, session[name]]));
}

/** What was done, as the person may want it back. */
export function changedWords(session: Session, change: Undoable): string {
  const name = `"${session.title}"`;
  if (change.title !== undefined) return `${name} is called "${change.title}" now`;
  if (change.pinned !== undefined)
    return change.pinned ? `${name} is pinned` : `${name} is no longer pinned`;
  if (change.archived !== undefined)
    return change.archived ? `${name} is archived` : `${name} is back`;
  return `${name} is ${change.colour ?? "as it was"} now`;
}

/** Changes a session and says so, with a way back. */
export async function changeSession(
  { client, toasts }: Pick<World, "client" | "toasts">,
  session: Session,
  change: Undoable,
): Promise<void> {
  const { id } = session;
  const carryOut = async (wanted: Undoable, failed: string, done?: () => void) => {
    try {
      await client.changeSession(id, wanted);
      done?.();
    } catch (failure) {
      toasts.fail(failed, failure);
    }
  };
  const undo = () => void carryOut(before(session, change), "That could not be undone");
  await carryOut(change, `"${session.title}" was not changed`, () =>
    toasts.say(changedWords(session, change), {
      about: `${id} ${Object.keys(change).join(" ")}`,
      actions: [{ words: "Undo", run: undo }],
    }),
  );
}
