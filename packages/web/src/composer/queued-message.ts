import { HubError } from "@signalbox/client";
import type { NewPrompt, QueuedPrompt } from "@signalbox/api";
import { focusComposer } from "../navigation/focus.ts";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import type { AppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const words = strings.queue;

type QueueContext = Pick<AppContext, "client" | "toasts" | "drafts">;

/** Whether the board has the whole message; of long ones it only has the beginning, and never the images or the context. */
function isComplete({ text, characters, images, contextTitle }: QueuedPrompt): boolean {
  return images === 0 && contextTitle === undefined && text.length === characters;
}

/**
 * Removes a message from the queue. Nothing is lost: it goes back to the composer if that is empty; otherwise
 * a toast offers to edit it or to put it back.
 */
export async function withdrawMessage(
  hands: QueueContext,
  session: string,
  prompt: QueuedPrompt,
  place: number,
  onBack: (prompt: NewPrompt) => void,
): Promise<void> {
  const { client, toasts, drafts } = hands;
  try {
    const { text, now } = prompt;
    const whole: NewPrompt = isComplete(prompt)
      ? { text, ...(now && { now }) }
      : await client.prompt(session, prompt.id);
    await client.withdrawPrompt(session, prompt.id);
    focusComposer(); // The button disappears with the message, so the focus moves to the composer.
    const edit = { label: words.edit, run: () => onBack(whole) };
    const undo = { label: words.undo, run: () => void requeue(hands, session, whole, place) };
    const free = isEmptyDraft(drafts.get(session));
    if (free) onBack(whole);
    toasts.show(free ? words.removedToComposer : words.removed, {
      actions: free ? [undo] : [undo, edit],
    });
  } catch (failure) {
    toasts.showError(words.couldNotRemove, failure);
  }
}

/** Sends a withdrawn message again. If it is still unchanged in the composer, it is removed there. */
async function requeue(
  { client, toasts, drafts }: QueueContext,
  session: string,
  whole: NewPrompt,
  place: number,
): Promise<void> {
  const draft = drafts.get(session);
  const untouched =
    draft.text === whole.text &&
    draft.mentions.length === 0 &&
    JSON.stringify(draft.context) === JSON.stringify(whole.context) &&
    JSON.stringify(draft.images) === JSON.stringify(whole.images ?? []);
  try {
    const { id } = await client.send(session, whole);
    if (untouched && drafts.get(session) === draft) drafts.set(session, emptyDraft);
    if (whole.now !== true)
      await client.movePrompt(session, id, { place }).catch(ignoreAlreadySent);
  } catch (failure) {
    toasts.showError(words.couldNotPutBack, failure);
  }
}

/** Ignores that the agent has taken the message meanwhile, so that there is no queue position to restore. */
function ignoreAlreadySent(failure: unknown): void {
  const taken = ["already-sent", "no-such-prompt"];
  if (!(failure instanceof HubError) || !taken.includes(failure.code)) throw failure;
}

/** Moves a message in the queue, with an undo. */
export async function moveMessage(
  { client, toasts }: Pick<QueueContext, "client" | "toasts">,
  session: string,
  { id }: QueuedPrompt,
  from: number,
  to: number,
): Promise<void> {
  const go = async (place: number, failed: string): Promise<boolean> => {
    try {
      await client.movePrompt(session, id, { place });
      return true;
    } catch (failure) {
      toasts.showError(failed, failure);
      return false;
    }
  };
  if (!(await go(to, words.couldNotMove))) return;
  const undo = { label: words.undo, run: () => void go(from, words.couldNotUndo) };
  toasts.show(to < from ? words.movedEarlier : words.movedLater, {
    topic: `place of ${id}`,
    actions: [undo],
  });
}
