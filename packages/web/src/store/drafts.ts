import type { Mention } from "./mentions.ts";
import type { NewPrompt } from "@signalbox/api";
import type { Attachment } from "./attachment.ts";
import type { Database } from "../storage/database.ts";
import type { ChangeChannel } from "../storage/outbox-storage.ts";
import { renameEarlierDraft } from "./draft-names.ts";

/** A message that is being written and has not been sent. */
export interface MessageDraft {
  readonly text: string;
  readonly images: readonly Attachment[];
  readonly mentions: readonly Mention[];
  readonly context: NewPrompt["context"] | undefined;
}
export const emptyDraft: MessageDraft = {
  text: "",
  images: [],
  mentions: [],
  context: undefined,
};

export function isEmptyDraft({ text, images, mentions }: MessageDraft): boolean {
  return text.trim() === "" && images.length === 0 && mentions.length === 0;
}

/** The text of a draft as the hub had it, and how many files were attached: what is compared to find changes. */
interface SyncedDraft {
  readonly rev: number;
  readonly key: string;
}

/** The same for two drafts that the hub would store alike. */
export function draftKey({ text, mentions, images }: MessageDraft): string {
  return JSON.stringify([text, mentions, images.length]);
}

const SAVE_DELAY_MS = 100;

interface StoredDraft extends MessageDraft {
  readonly synced?: SyncedDraft;
}

/** Where unsaved texts go when the page closes, because the database is too slow then. */
const UNLOAD_KEY = "signalbox.drafts";

/**
 * Drafts by name (a session's id or a form's name), saved across reloads shortly after the last key. Changes
 * of other windows are taken over unless this one is being typed in, so that all windows show the same and
 * none overwrites what it has not shown.
 */
export class Drafts {
  readonly #database: Database;
  readonly #drafts = new Map<string, MessageDraft>();
  readonly #synced = new Map<string, SyncedDraft>();
  readonly #listeners = new Set<() => void>();
  readonly #setListeners = new Set<(name: string) => void>();
  /** Drafts that are not saved yet. */
  readonly #due = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #others: ChangeChannel | undefined;

  constructor(database: Database, others?: ChangeChannel) {
    this.#database = database;
    this.#others = others;
    others?.addEventListener("message", ({ data }: MessageEvent<string>) => {
      void this.#read(data).catch(() => undefined); // The next change is announced again.
    });
  }

  static async open(database: Database, others?: ChangeChannel): Promise<Drafts> {
    // A database in memory belongs to this window alone.
    const drafts = new Drafts(database, database.isPersistent ? others : undefined);
    for (const name of await database.keys("drafts")) await drafts.#read(name);
    for (const [name, text] of takeUnloadDrafts()) drafts.set(name, { ...drafts.get(name), text });
    drafts.#convertEarlier();
    return drafts;
  }

  /** Converts drafts of new sessions of an earlier page, whose text was encoded as JSON. */
  #convertEarlier(): void {
    for (const [name, { text }] of this.#drafts) {
      const renamed = renameEarlierDraft(name);
      if (renamed === undefined || text === "") continue;
      if (isEmptyDraft(this.get(renamed))) this.set(renamed, { ...emptyDraft, text: decode(text) });
      this.set(name, emptyDraft);
    }
  }

  get(name: string): MessageDraft {
    return this.#drafts.get(name) ?? emptyDraft;
  }

  names(): readonly string[] {
    return [...this.#drafts.keys()].filter((name) => !isEmptyDraft(this.get(name)));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Calls the listener with the name of each draft that is changed in this window. */
  onSet(listener: (name: string) => void): void {
    this.#setListeners.add(listener);
  }

  getSynced(name: string): SyncedDraft | undefined {
    return this.#synced.get(name);
  }
  syncedNames(): readonly string[] {
    return [...this.#synced.keys()];
  }
  setSynced(name: string, synced: SyncedDraft | undefined): void {
    if (synced) this.#synced.set(name, synced);
    else this.#synced.delete(name);
    this.#schedule(name, SAVE_DELAY_MS);
  }

  /** Takes over a draft from the hub. */
  take(name: string, draft: MessageDraft, synced: SyncedDraft): void {
    this.#show(name, draft);
    this.setSynced(name, synced);
  }

  set(name: string, draft: MessageDraft): void {
    // Images are too large for what is saved when the page closes, so they do not wait.
    const delayMs = draft.images === this.get(name).images ? SAVE_DELAY_MS : 0;
    this.#show(name, draft);
    this.#schedule(name, delayMs);
    for (const listener of this.#setListeners) listener(name);
  }

  #schedule(name: string, delayMs: number): void {
    clearTimeout(this.#due.get(name));
    const timer = setTimeout(() => void keep(), delayMs);
    const keep = async () => {
      await this.#keep(name).catch(() => undefined); // The next change is saved again.
      if (this.#due.get(name) === timer) this.#due.delete(name);
    };
    this.#due.set(name, timer);
  }

  /** Removes the drafts for which `isOver` returns true. */
  forget(isOver: (name: string) => boolean): void {
    for (const name of this.names()) if (isOver(name)) this.set(name, emptyDraft);
  }

  /** Saves everything at once when the page is closing. */
  flush(): void {
    const due = [...this.#due.keys()].map((name) => [name, this.get(name).text] as const);
    if (due.length === 0) return;
    // Another window may be closing at the same time.
    const all = new Map([...takeUnloadDrafts(), ...due]);
    try {
      localStorage.setItem(UNLOAD_KEY, JSON.stringify([...all]));
    } catch {
      // The storage is full or forbidden; the page says so while it is open.
    }
  }

  #show(name: string, draft: MessageDraft): void {
    this.#drafts.set(name, draft);
    for (const listener of this.#listeners) listener();
  }

  async #read(name: string): Promise<void> {
    const storedDraft = await this.#database.get<Partial<StoredDraft>>("drafts", name);
    if (this.#due.has(name)) return;
    const { synced, ...draft } = storedDraft ?? {};
    if (synced) this.#synced.set(name, synced);
    this.#show(name, { ...emptyDraft, ...draft });
  }

  async #keep(name: string): Promise<void> {
    const draft = this.get(name);
    const synced = this.#synced.get(name);
    if (draft.text === "" && isEmptyDraft(draft) && !synced) {
      await this.#database.remove("drafts", name);
    } else {
      await this.#database.put("drafts", name, { ...draft, ...(synced && { synced }) });
    }
    this.#others?.postMessage(name);
  }
}

function decode(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function takeUnloadDrafts(): readonly (readonly [name: string, text: string])[] {
  try {
    const storedText = localStorage.getItem(UNLOAD_KEY) ?? "[]";
    localStorage.removeItem(UNLOAD_KEY);
    return JSON.parse(storedText) as [string, string][];
  } catch {
    return [];
  }
}
