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
/** The longest draft with its quotes, in UTF-16 units. Every driver's stream gets each change of it. */
const MAX_DRAFT = 1024 * 1024;
/** All drafts together, which are in memory. */
const MAX_ALL_DRAFTS = 64 * 1024 * 1024;

/** Keeps messages that are being written, so that they can be continued on another device. */
export class DraftService {
  readonly #store: Store;
  readonly #sessions: Pick<Sessions, "get">;
  readonly #drafts = new Map<string, DraftView>();
  /** The length of each draft, in UTF-16 units. */
  readonly #lengths = new Map<string, number>();
  #totalLength = 0;
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
      this.#setLength(name, json.length);
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
    const json = JSON.stringify(view);
    this.#requireShort(draft.name, json.length);
    const row: DraftRow = { name: draft.name, session: session?.id ?? null, json };
    const answer = { isSaved: true, rev: view.rev };
    const changes: Change[] = [{ kind: "draft", row }, ...makeReceipt(answer)];
    await this.#store.commit(changes, session?.getFence());
    this.#drafts.set(draft.name, view);
    this.#setLength(draft.name, json.length);
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

  /** Refuses what is too long. A draft that becomes shorter is saved in any case. */
  #requireShort(name: string, length: number): void {
    const before = this.#lengths.get(name) ?? 0;
    if (length <= before) return;
    if (length > MAX_DRAFT) {
      const detail = `This draft has more than ${MAX_DRAFT} characters with its quotes. It stays on its device.`;
      throw new HubRefusal(409, "too-many-drafts", detail);
    }
    if (this.#totalLength - before + length <= MAX_ALL_DRAFTS) return;
    const detail =
      "The drafts on this hub are too long to keep another one. This one stays on its device.";
    throw new HubRefusal(409, "too-many-drafts", detail);
  }

  #setLength(name: string, length: number): void {
    this.#totalLength += length - (this.#lengths.get(name) ?? 0);
    this.#lengths.set(name, length);
  }

  /** Forgets the drafts of a session that was deleted: their rows went with the session's. */
  onSessionDeleted(session: string): void {
    for (const name of [session, `${REVIEW}${session}`]) {
      this.#drafts.delete(name);
      this.#setLength(name, 0);
      this.#lengths.delete(name);
    }
  }
}
