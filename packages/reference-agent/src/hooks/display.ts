import type { Thread } from "../turn/thread.ts";

const WAIT_MS = 10_000;

/**
 * Returns the text that hosts see instead of this one; undefined to show the text itself. The
 * model's text is not changed.
 */
export async function getDisplayText(thread: Thread, text: string): Promise<string | undefined> {
  const { session, signal, agent, turnId } = thread;
  if (agent || text === "" || !session.hooks.has("MessageDisplay")) return undefined;
  const message_id = crypto.randomUUID();
  const { shown } = await session.hooks.run(
    "MessageDisplay",
    { turn_id: turnId, message_id, index: 0, final: true, delta: text },
    {
      toolUseId: `${message_id}-0`,
      signal: AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]),
    },
  );
  thread.shownText = shown === undefined ? undefined : { original: text, shown };
  return shown;
}
