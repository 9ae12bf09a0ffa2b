import type { NewPrompt, QueuedPrompt } from "@signalbox/api";
import { type Actor, type StoredTogether, Refusal } from "../engine.ts";
import type { Change, PromptRow, Store } from "../store/store.ts";
import { loadImages, prepareImages } from "../session/images.ts";
import { SingleFlight } from "./single-flight.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import { toQueuedPrompt } from "../session/session-summary.ts";

/** Messages to the agent: taken, moved and withdrawn. Each is a stored row until it has arrived. */
export class PromptService {
  readonly #store: Store;
  readonly #sessions: Sessions;
  readonly #sending = new SingleFlight<PromptRow>();

  constructor(store: Store, sessions: Sessions) {
    this.#store = store;
    this.#sessions = sessions;
  }

  /** The same id again is the same message, also when it has arrived long since. */
  async send(
    session: Session,
    id: string,
    prompt: NewPrompt,
    by: Actor,
    also: StoredTogether<QueuedPrompt> = () => [],
  ): Promise<PromptRow> {
    const elsewhere = this.#sessions.list().find(({ prompts }) => prompts.get(id) !== undefined);
    if (elsewhere && elsewhere !== session) {
      const detail = "This id belongs to a message of another session. Make a new one for each.";
      throw new Refusal(409, "prompt-id-used", detail);
    }
    return this.#sending.run(`${session.id}/${id}`, () =>
      this.#send(session, id, prompt, by, also),
    );
  }

  async #send(
    session: Session,
    id: string,
    prompt: NewPrompt,
    by: Actor,
    also: StoredTogether<QueuedPrompt>,
  ): Promise<PromptRow> {
    const { row, changes } = createPromptRow(session, id, prompt);
    const there = session.prompts.get(id);
    if (there) return there;
    if (await this.#store.item(session.id, id)) return { ...row, sentTo: session.row.run };
    session.prompts.requireCapacity();
    await this.#store.commit([...changes, ...also(toQueuedPrompt(row))]);
    session.prompts.put(row);
    session.changed();
    await session.tryToWake(by);
    return session.prompts.get(id) ?? { ...row, sentTo: session.row.run };
  }

  /** One that waits, whole: who withdraws it can keep what it said. */
  async read(session: Session, id: string): Promise<NewPrompt> {
    const row = session.prompts.waiting(id);
    const images = await loadImages(this.#store, row);
    const { text, now } = row;
    return { text, ...(images.length > 0 && { images }), ...(now && { now }) };
  }

  async move(session: Session, id: string, to: { place?: number; now?: true }): Promise<void> {
    if (to.place === undefined && !to.now) {
      const detail = 'Say what is to become of the message: a "place", or "now": true.';
      throw new Refusal(422, "nothing-asked", detail);
    }
    const rows =
      to.place === undefined
        ? [session.prompts.waiting(id)]
        : session.prompts.reorder(id, to.place);
    const next = rows.map((row) => (row.id === id && to.now ? { ...row, now: true } : row));
    await this.#store.commit(next.map((row): Change => ({ kind: "prompt", row })));
    for (const row of next)
      if (session.prompts.get(row.id)?.sentTo === null) session.prompts.put(row);
    session.changed();
    session.sendDuePrompts();
  }

  async withdraw(session: Session, id: string): Promise<void> {
    session.prompts.waiting(id);
    session.prompts.lock(id, "leaving");
    try {
      await this.#store.commit([{ kind: "prompt-gone", id }]);
      session.prompts.remove(id);
      session.changed();
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
    const detail = "The message is empty: write something, or add an image.";
    throw new Refusal(422, "empty-prompt", detail);
  }
  const { json: images, blobs } = prepareImages(session.id, prompt);
  const { text, now = false } = prompt;
  const row = { id, session: session.id, place, text, images, now, sentTo: null, at: Date.now() };
  return { row, changes: [{ kind: "prompt", row }, ...blobs] };
}
