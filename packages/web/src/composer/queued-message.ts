import { HubError } from "@signalbox/client";
import type { NewPrompt, QueuedPrompt } from "@signalbox/api";
import { focusComposer } from "../navigation/focus.ts";
import { emptyDraft, isEmptyDraft } from "../store/drafts.ts";
import type { AppContext } from "../store/app-context.tsx";
import type { Image } from "./images.ts";

type QueueContext = Pick<AppContext, "client" | "toasts" | "drafts">;

/** What the board tells of a message is its beginning, and how many images it has. */
function isComplete({ text, characters, images }: QueuedPrompt): boolean {
  return images === 0 && text.length === characters;
}

/**
 * Takes a message out of the queue. Nothing of it is lost: it stands in the composer again where that is
 * empty, and else can be had there or be put back into the queue.
 */
export async function withdrawMessage(
  hands: QueueContext,
  session: string,
  prompt: QueuedPrompt,
  place: number,
  onBack: (text: string, images?: readonly Image[]) => void,
): Promise<void> {
  const { client, toasts, drafts } = hands;
  try {
    const { text, now } = prompt;
    const whole = isComplete(prompt)
      ? { text, ...(now && { now }) }
      : await client.prompt(session, prompt.id);
    await client.withdrawPrompt(session, prompt.id);
    focusComposer(); // the button is gone with the message
    const edit = { label: "Edit", run: () => onBack(whole.text, whole.images) };
    const undo = { label: "Undo", run: () => void requeue(hands, session, whole, place) };
    const free = isEmptyDraft(drafts.get(session));
    if (free) onBack(whole.text, whole.images);
    const where = free ? ": it is where you write" : "";
    toasts.show(`The message is withdrawn${where}`, { actions: free ? [undo] : [undo, edit] });
  } catch (failure) {
    toasts.showError("It was not withdrawn", failure);
  }
}

/** As a message of its own: what was withdrawn is gone. Where it stands unchanged to be edited, it goes. */
async function requeue(
  { client, toasts, drafts }: QueueContext,
  session: string,
  whole: NewPrompt,
  place: number,
): Promise<void> {
  const held = drafts.get(session);
  const untouched =
    held.text === whole.text &&
    held.mentions.length === 0 &&
    JSON.stringify(held.images) === JSON.stringify(whole.images ?? []);
  try {
    const { id } = await client.send(session, whole);
    if (untouched && drafts.get(session) === held) drafts.set(session, emptyDraft);
    if (whole.now !== true)
      await client.movePrompt(session, id, { place }).catch(ignoreAlreadySent);
  } catch (failure) {
    toasts.showError("It was not put back", failure);
  }
}

/** The turn has ended meanwhile, and the agent has the message: there is no queue to stand in. */
function ignoreAlreadySent(failure: unknown): void {
  const taken = ["already-sent", "no-such-prompt"];
  if (!(failure instanceof HubError) || !taken.includes(failure.code)) throw failure;
}

/** Moves a message to another place, with a way back. */
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
  if (!(await go(to, "It was not moved"))) return;
  const undo = { label: "Undo", run: () => void go(from, "That could not be undone") };
  const where = to < from ? "earlier" : "later";
  toasts.show(`The message goes ${where} now`, { topic: `place of ${id}`, actions: [undo] });
}
