import type { BoardCopy, SessionCopy } from "@signalbox/client";
import type { Database } from "./database.ts";

const BOARD = "board";
/** The number of sessions that are cached; the oldest is removed. */
const MAX_SESSIONS = 30;

interface CacheEntry<Copy> {
  readonly at: number;
  readonly copy: Copy;
}

/** Caches the board and sessions, so that the page shows them at once and while the hub is unreachable. */
export class ViewCache {
  readonly #database: Database;
  #closed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stops caching, so that nothing is stored again after the person has left the hub. */
  close(): void {
    this.#closed = true;
  }

  async board(): Promise<BoardCopy | undefined> {
    return (await this.#database.get<CacheEntry<BoardCopy>>("copies", BOARD))?.copy;
  }
  async saveBoard(copy: BoardCopy, at: number): Promise<void> {
    if (!this.#closed) await this.#database.put("copies", BOARD, { at, copy });
  }

  async session(id: string): Promise<SessionCopy | undefined> {
    return (await this.#database.get<CacheEntry<SessionCopy>>("copies", id))?.copy;
  }
  async saveSession(id: string, copy: SessionCopy, at: number): Promise<void> {
    if (this.#closed) return;
    await this.#database.put("copies", id, { at, copy });
    await this.#tidy();
  }
  async removeSession(id: string): Promise<void> {
    await this.#database.remove("copies", id);
  }

  async #tidy(): Promise<void> {
    const keys = (await this.#database.keys("copies")).filter((key) => key !== BOARD);
    if (keys.length <= MAX_SESSIONS) return;
    const dated = await Promise.all(
      keys.map(async (key) => {
        const cacheEntry = await this.#database.get<CacheEntry<unknown>>("copies", key);
        return { key, at: cacheEntry?.at ?? 0 };
      }),
    );
    const old = dated.toSorted((a, b) => b.at - a.at).slice(MAX_SESSIONS);
    for (const { key } of old) await this.#database.remove("copies", key);
  }
}
