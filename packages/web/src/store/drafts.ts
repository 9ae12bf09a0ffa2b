import type { NewPrompt } from "@signalbox/protocol";
import type { Database } from "../connection/database.ts";

/** What is being written for a session and not sent yet. */
export interface Draft {
  readonly text: string;
  readonly images: NonNullable<NewPrompt["images"]>;
}
export const emptyDraft: Draft = { text: "", images: [] };

const KEEP_MS = 300;

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
    const drafts = new Map<string, Draft>();
    for (const key of await database.keys("drafts")) {
      const draft = await database.get<Draft>("drafts", key);
      if (draft) drafts.set(key, draft);
    }
    return new Drafts(database, drafts);
  }

  get(session: string): Draft {
    return this.#drafts.get(session) ?? emptyDraft;
  }

  set(session: string, draft: Draft): void {
    this.#drafts.set(session, draft);
    clearTimeout(this.#due.get(session));
    this.#due.set(
      session,
      setTimeout(() => void this.#keep(session), KEEP_MS),
    );
  }

  /** Resolves when it is kept. */
  async #keep(session: string): Promise<void> {
    const draft = this.get(session);
    if (draft.text === "" && draft.images.length === 0) {
      await this.#database.remove("drafts", session);
    } else {
      await this.#database.put("drafts", session, draft);
    }
  }
}
