import type { NewPrompt } from "@signalbox/protocol";
import type { Database } from "../connection/database.ts";

/** What is being written for a session and not sent yet. */
export interface Draft {
  readonly text: string;
  readonly images: NonNullable<NewPrompt["images"]>;
}
export const emptyDraft: Draft = { text: "", images: [] };

const KEEP_MS = 100;

/** Where texts go that the page's end overtook: the database is too slow for that moment. */
const LAST_WORDS = "signalbox.drafts";

/** Drafts by session, kept over reloads. Read at once, written a moment after the last key. */
export class Drafts {
  readonly #database: Database;
  readonly #drafts: Map<string, Draft>;
  readonly #due = new Map<string, ReturnType<typeof setTimeout>>();

  private constructor(database: Database, drafts: Map<string, Draft>) {
    this.#database = database;
    this.#drafts = drafts;
  }

  static async open(database: Database): Promise<Drafts> {
    const held = new Map<string, Draft>();
    for (const key of await database.keys("drafts")) {
      const draft = await database.get<Draft>("drafts", key);
      if (draft) held.set(key, draft);
    }
    const drafts = new Drafts(database, held);
    for (const [session, text] of takeLastWords())
      drafts.set(session, { ...drafts.get(session), text });
    return drafts;
  }

  get(session: string): Draft {
    return this.#drafts.get(session) ?? emptyDraft;
  }

  set(session: string, draft: Draft): void {
    this.#drafts.set(session, draft);
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
    if (draft.text === "" && draft.images.length === 0) {
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
