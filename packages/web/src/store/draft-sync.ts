import type { DraftSaved, DraftView, NewDraft } from "@signalbox/api";
import { isNewSessionDraft } from "./draft-names.ts";
import { type MessageDraft, draftKey, type Drafts, emptyDraft } from "./drafts.ts";
import { isSessionId } from "./unsent.ts";

/** The part of the client by which drafts follow a person to other devices. */
interface DraftHub {
  /** Whether the hub answers now. */
  readonly isLive: () => boolean;
  readonly onState: (listener: () => void) => void;
  readonly onDraft: (listener: (draft: DraftView) => void) => void;
  readonly drafts: () => Promise<readonly DraftView[]>;
  readonly saveDraft: (draft: NewDraft) => Promise<DraftSaved>;
  /** The id of this device. */
  readonly getDevice: () => string;
  /** Calls back after a pause in typing. Returns a function that cancels it. */
  readonly afterPause: (run: () => void) => () => void;
}

/** The longest draft that the hub keeps. A longer one stays in this browser. */
const MAX_LENGTH = 256 * 1024;

/** What is to be told about a draft beside its text. */
interface DraftNews {
  /** What was written on another device while this one was written, too. */
  readonly offer?: DraftView | undefined;
  /** Files that are attached on another device. */
  readonly attachedElsewhere?: { readonly count: number; readonly device: string };
  readonly isTooLong: boolean;
}
const noNews: DraftNews = { isTooLong: false };

/**
 * Saves the drafts of sessions and of new sessions at the hub, and takes over what is written on other devices.
 * A text that was changed on both is never replaced: the other one is offered.
 */
export class DraftSync {
  readonly #drafts: Drafts;
  readonly #hub: DraftHub;
  readonly #pauses = new Map<string, () => void>();
  readonly #saving = new Set<string>();
  /** Drafts that arrived while this device's own were being saved. */
  readonly #late = new Map<string, DraftView>();
  readonly #news = new Map<string, DraftNews>();
  readonly #listeners = new Set<() => void>();
  #isReady = false;

  constructor(drafts: Drafts, hub: DraftHub) {
    this.#drafts = drafts;
    this.#hub = hub;
    drafts.onSet((name) => this.#onEdited(name));
    hub.onDraft((remote) => this.#isReady && this.#receive(remote));
    hub.onState(() => this.#onState());
    this.#onState();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  getNews(name: string): DraftNews {
    return this.#news.get(name) ?? noNews;
  }

  /** Replaces the draft by the one that is offered. Returns what it was. */
  useOffer(name: string): MessageDraft {
    const before = this.#drafts.get(name);
    const { offer } = this.getNews(name);
    if (offer) this.#adopt(offer);
    return before;
  }

  /** Keeps this device's draft, which replaces the offered one at the hub. */
  dismissOffer(name: string): void {
    const { offer } = this.getNews(name);
    if (!offer) return;
    this.#drafts.setSynced(name, { rev: offer.rev, key: draftKey(toDraft(offer)) });
    this.#tell(name, { ...this.getNews(name), offer: undefined });
    void this.#save(name);
  }

  #onState(): void {
    const isLive = this.#hub.isLive();
    if (isLive === this.#isReady) return;
    this.#isReady = false;
    if (isLive) void this.#catchUp().catch(() => undefined); // An older hub, or a viewer, has no drafts.
  }

  async #catchUp(): Promise<void> {
    const all = await this.#hub.drafts();
    this.#isReady = this.#hub.isLive();
    const known = new Set(all.map(({ name }) => name));
    for (const remote of all) this.#receive(remote);
    for (const name of this.#drafts.syncedNames()) {
      if (!known.has(name)) this.#drafts.setSynced(name, undefined); // the hub has forgotten it
    }
    const changed = new Set([...this.#drafts.names(), ...this.#drafts.syncedNames()]);
    for (const name of changed) if (this.#isDirty(name)) this.#onEdited(name);
  }

  #onEdited(name: string): void {
    if (!isShared(name)) return;
    const isTooLong = this.#drafts.get(name).text.length > MAX_LENGTH;
    if (isTooLong !== this.getNews(name).isTooLong) {
      this.#tell(name, { ...this.getNews(name), isTooLong });
    }
    this.#pauses.get(name)?.();
    this.#pauses.set(
      name,
      this.#hub.afterPause(() => {
        this.#pauses.delete(name);
        void this.#save(name);
      }),
    );
  }

  #isDirty(name: string): boolean {
    const synced = this.#drafts.getSynced(name);
    return draftKey(this.#drafts.get(name)) !== (synced?.key ?? draftKey(emptyDraft));
  }

  async #save(name: string): Promise<void> {
    const { offer, isTooLong } = this.getNews(name);
    if (!this.#isReady || this.#saving.has(name) || offer || isTooLong) return;
    if (!this.#isDirty(name)) return;
    const draft = this.#drafts.get(name);
    const { text, mentions, images } = draft;
    const base = this.#drafts.getSynced(name)?.rev ?? 0;
    this.#saving.add(name);
    try {
      const saved = await this.#hub.saveDraft({
        name,
        text,
        mentions: [...mentions],
        attachments: images.length,
        base,
      });
      if (saved.isSaved) this.#drafts.setSynced(name, { rev: saved.rev, key: draftKey(draft) });
      else await this.#fetch(name);
    } catch {
      this.#saving.delete(name);
      return; // It is saved with the next change, or when the hub is back.
    }
    this.#saving.delete(name);
    const late = this.#late.get(name);
    this.#late.delete(name);
    if (late) this.#receive(late);
    if (this.#isDirty(name)) this.#onEdited(name);
  }

  /** Fetches a draft that was changed elsewhere, in case its frame has not arrived. */
  async #fetch(name: string): Promise<void> {
    const remote = (await this.#hub.drafts()).find((each) => each.name === name);
    if (remote) this.#late.set(name, remote);
  }

  #receive(remote: DraftView): void {
    const { name } = remote;
    if (!isShared(name)) return; // the comments of a review
    if (remote.rev <= (this.#drafts.getSynced(name)?.rev ?? 0)) return;
    if (this.#saving.has(name)) {
      this.#late.set(name, remote); // It is looked at when it is known whether this device's text was saved.
      return;
    }
    const local = this.#drafts.get(name);
    const isOwn = remote.device.id === this.#hub.getDevice();
    const isSame = draftKey({ ...local, images: [] }) === draftKey(toDraft(remote));
    if (isSame || !this.#isDirty(name)) return this.#adopt(remote);
    // Another window of this browser, which shares its drafts with this one, or nothing that could be lost.
    if (isOwn || remote.text.trim() === "") {
      this.#drafts.setSynced(name, { rev: remote.rev, key: draftKey(toDraft(remote)) });
      return this.#onEdited(name);
    }
    if (local.text.trim() === "") return this.#adopt(remote);
    return this.#tell(name, { ...this.getNews(name), offer: remote });
  }

  /** Takes over a text from the hub. The files that are attached here stay. */
  #adopt(remote: DraftView): void {
    const { name, attachments, device } = remote;
    const { text, mentions } = toDraft(remote);
    const draft = { ...this.#drafts.get(name), text, mentions };
    this.#drafts.take(name, draft, { rev: remote.rev, key: draftKey(draft) });
    const isElsewhere = attachments > 0 && device.id !== this.#hub.getDevice();
    this.#tell(name, {
      isTooLong: false,
      ...(isElsewhere && { attachedElsewhere: { count: attachments, device: device.name } }),
    });
  }

  #tell(name: string, news: DraftNews): void {
    this.#news.set(name, news);
    for (const listener of this.#listeners) listener();
  }
}

/** Whether a draft follows the person to other devices. Answers to requests and forms do not. */
function isShared(name: string): boolean {
  return isSessionId(name) || isNewSessionDraft(name);
}

function toDraft({ text, mentions }: DraftView): MessageDraft {
  return { ...emptyDraft, text, mentions };
}
