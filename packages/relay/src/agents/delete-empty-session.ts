import type { Actor, Engine } from "@signalbox/hub/extension";

/** More than there are in a session that nobody has spoken in: that its runs are over, and why. */
const MOST_NOTICES = 10;

/**
 * Deletes a session, of which no run lives, if nothing was said in it and nothing waits to be. Says
 * whether there is none now.
 */
export async function deleteIfEmpty(engine: Engine, id: string, by: Actor): Promise<boolean> {
  if (!engine.relaySessions.findRow(id)) return true;
  const items = await engine.history.listItems(id, undefined, MOST_NOTICES);
  const isSilent = items.length < MOST_NOTICES && items.every(({ kind }) => kind === "notice");
  if (!isSilent || engine.sessions.get(id).queue.length > 0) return false;
  await engine.sessions.delete(id, by);
  return true;
}
