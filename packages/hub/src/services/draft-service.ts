import type { DraftSaved, DraftView, ReceivedDraft } from "@signalbox/api";
import type { Actor } from "../actor.ts";
import { HubRefusal } from "../refusal.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Change, DraftRow, Store } from "../store/store.ts";
import type { MakeReceipt } from "../store/make-receipt.ts";

const NEW_SESSION = "new-session/";
/** Before the id of a session: the comments of a review that has not been sent. */
const REVIEW = "review/";
/** How many drafts of new sessions are kept. */
const MAX_NEW_SESSIONS = 500;

/** Keeps messages that are being written, so that they can be continued on another device. */
export class DraftService {
  readonly #store: Store;
  readonly #sessions: Pick<Sessions, "get">;
  readonly #drafts = new Map<string, DraftView>();
  readonly #listeners = new Set<(draft: DraftView) => void>();
  /** Drafts are saved one after the other, so that of two changes of one revision the first counts. */
  #saving: Promise<unknown> = Promise.resolve();

  constructor(store: Store, sessions: Pick<Sessions, "get">) {
    this.#store = store;
    this.#sessions = sessions;
  }

  async load(): Promise<void> {
    for (const { name, json } of await this.#store.drafts()) {
      this.#drafts.set(name, JSON.parse(json) as DraftView);
    }
  }

  list(): DraftView[] {
    return [...this.#drafts.values()];
  }

  /** Calls the listener with each draft that was saved. */
  onSaved(listener: (draft: DraftView) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Saves a draft unless it was changed since the revision on which this change is based. */
  save(
    draft: ReceivedDraft,
    by: Actor,
    makeReceipt: MakeReceipt<DraftSaved> = () => [],
  ): Promise<DraftSaved> {
    const saved = this.#saving.then(() => this.#save(draft, by, makeReceipt));
    this.#saving = saved.catch(() => undefined); // the caller handles it
    return saved;
  }

  async #save(
    { base, ...draft }: ReceivedDraft,
    by: Actor,
    makeReceipt: MakeReceipt<DraftSaved>,
  ): Promise<DraftSaved> {
    const session = this.#findSession(draft.name);
    const rev = this.#drafts.get(draft.name)?.rev ?? 0;
    if (base !== rev) {
      const answer = { isSaved: false, rev };
      await this.#store.commit([...makeReceipt(answer)]);
      return answer;
    }
    if (!session && rev === 0) this.#requireRoom();
    const device = { id: by.device, name: by.name };
    const view: DraftView = { ...draft, rev: rev + 1, at: Date.now(), device };
    const row: DraftRow = {
      name: draft.name,
      session: session?.id ?? null,
      json: JSON.stringify(view),
    };
    const answer = { isSaved: true, rev: view.rev };
    const changes: Change[] = [{ kind: "draft", row }, ...makeReceipt(answer)];
    await this.#store.commit(changes, session?.getFence());
    this.#drafts.set(draft.name, view);
    for (const listener of this.#listeners) listener(view);
    return answer;
  }

  /** The session to which a draft belongs; undefined for the draft of a new session. */
  #findSession(name: string): Session | undefined {
    if (name.startsWith(NEW_SESSION)) return undefined;
    return this.#sessions.get(name.startsWith(REVIEW) ? name.slice(REVIEW.length) : name);
  }

  #requireRoom(): void {
    const newSessions = [...this.#drafts.keys()].filter((name) => name.startsWith(NEW_SESSION));
    if (newSessions.length < MAX_NEW_SESSIONS) return;
    const detail = `The hub keeps at most ${MAX_NEW_SESSIONS} drafts of new sessions. This one stays on its device.`;
    throw new HubRefusal(409, "too-many-drafts", detail);
  }

  /** Forgets the drafts of a session that was deleted: their rows went with the session's. */
  onSessionDeleted(session: string): void {
    this.#drafts.delete(session);
    this.#drafts.delete(`${REVIEW}${session}`);
  }
}
