import type { Actor, Engine } from "@signalbox/hub/extension";

/** More lines than a session without messages has: only the ends of its runs and their reasons. */
const MAX_NOTICES = 10;

/**
 * Deletes a session that has no live run, if nothing was said in it and no message waits. Returns
 * whether the session no longer exists.
 */
export async function deleteIfEmpty(engine: Engine, id: string, by: Actor): Promise<boolean> {
  if (!engine.relaySessions.findRow(id)) return true;
  const items = await engine.history.listItems(id, undefined, MAX_NOTICES);
  const isSilent = items.length < MAX_NOTICES && items.every(({ kind }) => kind === "notice");
  if (!isSilent || engine.sessions.get(id).queue.length > 0) return false;
  await engine.sessions.delete(id, by);
  return true;
}
