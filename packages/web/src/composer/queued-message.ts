import { HubError } from "@signalbox/client";
import type { QueuedPrompt } from "@signalbox/protocol";
import { brief } from "../items/body.ts";
import { inert } from "../items/text/visible.ts";
import { focusComposer } from "../shell/arrival.ts";
import { confirmed, type Question } from "../shell/confirm.ts";
import type { World } from "../store/world.tsx";

/** Enough of a message to tell it from another, in one line. */
export function beginningOf(text: string): string {
  return inert(brief(text.trim().replaceAll(/\s+/g, " "), 40));
}

type Hands = Pick<World, "client" | "toasts">;

/** Why a message that is withdrawn could not be put back as it was; undefined: it can. */
export function lostWords({ text, characters, images }: QueuedPrompt): string | undefined {
  if (images > 0) return images === 1 ? "its image" : `its ${images} images`;
  return text.length < characters ? "all but its beginning" : undefined;
}

/** Takes a message out of the queue. What cannot be put back is asked about first. */
export async function withdraw(
  { client, toasts }: Hands,
  session: string,
  prompt: QueuedPrompt,
  place: number,
  onBack: (text: string) => void,
): Promise<void> {
  const lost = lostWords(prompt);
  if (lost !== undefined && !(await confirmed(withdrawal(prompt, lost)))) return;
  const edit = { words: "Edit", run: () => onBack(prompt.text) };
  const undo = {
    words: "Undo",
    run: () => void putBack({ client, toasts }, session, prompt, place),
  };
  try {
    await client.withdrawPrompt(session, prompt.id);
    focusComposer(); // the button is gone with the message
    toasts.say("The message is withdrawn", {
      actions: lost === undefined ? [undo, edit] : [],
    });
  } catch (failure) {
    toasts.fail("It was not withdrawn", failure);
  }
}

function withdrawal({ text }: QueuedPrompt, lost: string): Question {
  return {
    title: "Withdraw this message?",
    text: `${beginningOf(text)}\n\nIt cannot be put back as it is: ${lost} would be gone.`,
    does: `Withdraw it and drop ${lost}`,
  };
}

/** As a message of its own: what was withdrawn is gone. */
async function putBack(
  { client, toasts }: Hands,
  session: string,
  { text, now }: QueuedPrompt,
  place: number,
): Promise<void> {
  try {
    const { id } = await client.send(session, { text, ...(now && { now }) });
    if (!now) await client.movePrompt(session, id, { place }).catch(unlessTaken);
  } catch (failure) {
    toasts.fail("It was not put back", failure);
  }
}

/** The turn has ended meanwhile, and the agent has the message: there is no queue to stand in. */
function unlessTaken(failure: unknown): void {
  const taken = ["already-sent", "no-such-prompt"];
  if (!(failure instanceof HubError) || !taken.includes(failure.code)) throw failure;
}

/** Moves a message to another place, with a way back. */
export async function move(
  { client, toasts }: Hands,
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
      toasts.fail(failed, failure);
      return false;
    }
  };
  if (!(await go(to, "It was not moved"))) return;
  const undo = { words: "Undo", run: () => void go(from, "That could not be undone") };
  const where = to < from ? "earlier" : "later";
  toasts.say(`The message goes ${where} now`, { about: `place of ${id}`, actions: [undo] });
}
