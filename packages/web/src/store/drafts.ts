import type { Mention } from "../composer/mentions.ts";
import type { NewPrompt } from "@signalbox/protocol";
import type { Database } from "../connection/database.ts";

/** What is being written for a session and not sent yet. */
export interface Draft {
  readonly text: string;
  readonly images: NonNullable<NewPrompt["images"]>;
  /** What it is about. */
  readonly mentions: readonly Mention[];
}
export const emptyDraft: Draft = { text: "", images: [], mentions: [] };

export function isEmpty({ text, images, mentions }: Draft): boolean {
  return text.trim() === "" && images.length === 0 && mentions.length === 0;
}

const KEEP_MS = 100;

/** Where texts go that the page's end overtook: the database is too slow for that moment. */
const LAST_WORDS = "signalbox.drafts";

/** Drafts by session, kept over reloads. Read at once, written a moment after the last key. */
export class Drafts {
  readonly #database: Database;
  readonly #drafts: Map<string, Draft>;
  readonly #listeners = new Set<() => void>();
  readonly #due = new Map<string, ReturnType<typeof setTimeout>>();

  private constructor(database: Database, drafts: Map<string, Draft>) {
    this.#database = database;
    this.#drafts = drafts;
  }

  static async open(database: Database): Promise<Drafts> {
    const held = new Map<string, Draft>();
    for (const key of await database.keys("drafts")) {
      const draft = await database.get<Partial<Draft>>("drafts", key);
      if (draft) held.set(key, { ...emptyDraft, ...draft });
    }
    const drafts = new Drafts(database, held);
    for (const [session, text] of takeLastWords())
      drafts.set(session, { ...drafts.get(session), text });
    return drafts;
  }

  get(session: string): Draft {
    return this.#drafts.get(session) ?? emptyDraft;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(session: string, draft: Draft): void {
    this.#drafts.set(session, draft);
    for (const listener of this.#listeners) listener();
    clearTimeout(this.#due.get(session));
    const keep = () => {
      this.#due.delete(session);
      void this.#keep(session).catch(() => undefined); // the next key tries again
    };
    this.#due.set(session, setTimeout(keep, KEEP_MS));
  }

  /** For the page's end: what has not been written yet is, at once. */
  flush(): void {
    const due = [...this.#due.keys()].map((session) => [session, this.get(session).text]);
    if (due.length > 0) localStorage.setItem(LAST_WORDS, JSON.stringify(due));
  }

  async #keep(session: string): Promise<void> {
    const draft = this.get(session);
    if (draft.text === "" && isEmpty(draft)) {
      await this.#database.remove("drafts", session);
    } else {
      await this.#database.put("drafts", session, draft);
    }
  }
}

function takeLastWords(): readonly (readonly [session: string, text: string])[] {
  try {
    const kept = localStorage.getItem(LAST_WORDS) ?? "[]";
    localStorage.removeItem(LAST_WORDS);
    return JSON.parse(kept) as [string, string][];
  } catch {
    return [];
  }
}
