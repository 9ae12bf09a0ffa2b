import type { NewPrompt, QueuedPrompt } from "@signalbox/api";
import type { Actor } from "../actor.ts";
import type { MakeReceipt } from "../store/make-receipt.ts";
import { HubRefusal } from "../refusal.ts";
import type { Change, PromptRow, Store } from "../store/store.ts";
import { adoptImported } from "../session/adopt-imported.ts";
import { loadImages, prepareImages } from "../session/images.ts";
import { SingleFlight } from "./single-flight.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { readContext, requireNoCommand } from "../session/prompt-context.ts";
import { requireOutsideTrash } from "../session/trash.ts";
import { toQueuedPrompt } from "../session/session-summary.ts";

/** Accepts, moves and withdraws messages to the agent. Each is a stored row until the agent has it. */
export class PromptService {
  readonly #store: Store;
  readonly #sessions: Sessions;
  readonly #sending = new SingleFlight<PromptRow>();

  constructor(store: Store, sessions: Sessions) {
    this.#store = store;
    this.#sessions = sessions;
  }

  /** Accepts a message. The same id again is the same message, even if it was delivered long ago. */
  async send(
    sessionId: string,
    id: string,
    prompt: NewPrompt,
    by: Actor,
    makeReceipt: MakeReceipt<QueuedPrompt> = () => [],
  ): Promise<QueuedPrompt> {
    const session = this.#sessions.get(sessionId);
    const elsewhere = this.#sessions.list().find(({ prompts }) => prompts.get(id) !== undefined);
    if (elsewhere && elsewhere !== session) {
      const detail =
        "This id belongs to a message of another session. Use a new id for each message.";
      throw new HubRefusal(409, "prompt-id-used", detail);
    }
    const row = await this.#sending.run(`${session.id}/${id}`, () =>
      this.#send(session, id, prompt, by, makeReceipt),
    );
    return toQueuedPrompt(row);
  }

  async #send(
    session: Session,
    id: string,
    prompt: NewPrompt,
    by: Actor,
    makeReceipt: MakeReceipt<QueuedPrompt>,
  ): Promise<PromptRow> {
    requireOutsideTrash(session.row);
    const { row, changes } = createPromptRow(session, id, prompt);
    const existing = session.prompts.get(id);
    if (existing) return existing;
    if (await this.#store.item(session.id, id)) return { ...row, sentTo: session.row.run };
    session.requireIdleElsewhere();
    session.prompts.requireCapacity();
    await adoptImported(session, by);
    await this.#store.commit([...changes, ...makeReceipt(toQueuedPrompt(row))], session.getFence());
    session.prompts.put(row);
    session.notifyChanged();
    await session.tryToWake(by);
    return session.prompts.get(id) ?? { ...row, sentTo: session.row.run };
  }

  /**
   * A waiting message as it was sent, with its images and context, so that a person who withdraws it can keep all of it.
   */
  async get(sessionId: string, id: string): Promise<NewPrompt> {
    const row = this.#sessions.get(sessionId).prompts.requireWaiting(id);
    const images = await loadImages(this.#store, row);
    const { text, now } = row;
    const context = readContext(row);
    return {
      text,
      ...(images.length > 0 && { images }),
      ...(context && { context }),
      ...(now && { now }),
    };
  }

  /** Moves a waiting message to another place in the queue, or sends it at once. */
  async move(
    sessionId: string,
    id: string,
    to: { place?: number; now?: true },
  ): Promise<QueuedPrompt[]> {
    const session = this.#sessions.get(sessionId);
    if (to.place === undefined && !to.now) {
      const detail = 'Say what is to become of the message: a "place", or "now": true.';
      throw new HubRefusal(422, "nothing-asked", detail);
    }
    const rows =
      to.place === undefined
        ? [session.prompts.requireWaiting(id)]
        : session.prompts.reorder(id, to.place);
    const next = rows.map((row) => (row.id === id && to.now ? { ...row, now: true } : row));
    const changes = next.map((row): Change => ({ kind: "prompt", row }));
    await this.#store.commit(changes, session.getFence());
    for (const row of next)
      if (session.prompts.get(row.id)?.sentTo === null) session.prompts.put(row);
    session.notifyChanged();
    session.sendDuePrompts();
    return session.prompts.rows.map(toQueuedPrompt);
  }

  async withdraw(sessionId: string, id: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    session.prompts.requireWaiting(id);
    session.prompts.lock(id, "leaving");
    try {
      await this.#store.commit([{ kind: "prompt-gone", id }], session.getFence());
      session.prompts.remove(id);
      session.notifyChanged();
    } finally {
      session.prompts.unlock(id);
    }
  }
}

export function createPromptRow(
  session: Session,
  id: string,
  prompt: NewPrompt,
  place = session.prompts.nextPlace,
): { row: PromptRow; changes: Change[] } {
  if (prompt.text.trim() === "" && !prompt.images?.length) {
    const detail = "The message is empty. Add text or an image.";
    throw new HubRefusal(422, "empty-prompt", detail);
  }
  requireNoCommand(prompt);
  const { json: images, blobs } = prepareImages(session.id, prompt);
  const { text, now = false } = prompt;
  const row = session.sealPrompt({
    id,
    session: session.id,
    place,
    text,
    images,
    context: prompt.context ? JSON.stringify(prompt.context) : null,
    now,
    sentTo: null,
    at: Date.now(),
  });
  return { row, changes: [{ kind: "prompt", row }, ...blobs] };
}
