import type { Item } from "@signalbox/timeline";
import type { Database } from "bun:sqlite";
import { inTransaction } from "../store/database.ts";
import { Statements } from "../store/statements.ts";
import { extractSearchable } from "./searchable-text.ts";
import { collectWordParts } from "./word-parts.ts";

/** Items that are read and indexed in one transaction. */
const BATCH = 200;
/** Larger bodies are indexed by their beginning and end. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;

interface ItemRow {
  readonly id: string;
  readonly order: number;
  readonly rev: number;
  readonly json: string;
}

interface IndexedSession {
  readonly session: string;
  readonly rev: number;
}
type NewEntry = [
  session: string,
  item: string,
  order: number,
  at: number | null,
  kind: string,
  tool: string | null,
  path: string | null,
  isMine: number,
  isError: number,
  text: string,
  parts: string,
];

/** Copies what can be found from the items of the store into the index, a batch at a time. */
export class Indexer implements Disposable {
  readonly #index: Database;
  readonly #statements: readonly Statements[];
  readonly #read: ReturnType<typeof prepareReads>;
  readonly #write: ReturnType<typeof prepareWrites>;

  constructor(index: Database, store: Database) {
    const [ours, theirs] = [new Statements(index), new Statements(store)];
    this.#index = index;
    this.#statements = [ours, theirs];
    this.#read = prepareReads(theirs);
    this.#write = prepareWrites(ours);
  }

  /** The sessions whose items have changed since they were indexed, and those that are gone. */
  listStale(): { readonly changed: string[]; readonly gone: string[] } {
    const heads = new Map(this.#read.heads.all().map(({ session, rev }) => [session, rev]));
    const indexed = new Map(this.#write.indexed.all().map(({ session, rev }) => [session, rev]));
    return {
      changed: [...heads].flatMap(([id, rev]) => (indexed.get(id) === rev ? [] : [id])),
      gone: [...indexed.keys()].filter((id) => !heads.has(id)),
    };
  }

  /**
   * Indexes the next batch of a session. True: there may be more. The items of a revision are indexed
   * together, so that none is missed between two batches.
   */
  indexBatch(session: string): boolean {
    const head = this.#read.head.get(session)?.rev;
    const from = this.#write.rev.get(session)?.rev ?? -1;
    if (head === undefined || from === head) return false;
    // The items were made again, with lower revisions.
    if (from > head) {
      this.removeSession(session);
      return true;
    }
    const rows = this.#readRevisions(session, from);
    const last = rows.at(-1);
    inTransaction(this.#index, () => {
      for (const row of rows) this.#indexItem(session, row);
      this.#write.setRev.run(session, last?.rev ?? head);
    });
    return last !== undefined;
  }

  /** Its text is overwritten in the database, and the write-ahead log that held it is emptied. */
  removeSession(session: string): void {
    inTransaction(this.#index, () => {
      this.#write.removeSession.run(session);
      this.#write.forgetSession.run(session);
    });
    this.#write.emptyLog.all();
  }

  [Symbol.dispose](): void {
    for (const each of this.#statements) each[Symbol.dispose]();
  }

  #readRevisions(session: string, from: number): ItemRow[] {
    for (let limit = BATCH; ; limit *= 4) {
      const rows = this.#read.items.all(session, from, limit);
      if (rows.length < limit) return rows;
      const last = rows.at(-1)?.rev;
      const whole = rows.filter(({ rev }) => rev !== last);
      if (whole.length > 0) return whole;
    }
  }

  #indexItem(session: string, row: ItemRow): void {
    this.#write.remove.run(session, row.id);
    const item = JSON.parse(row.json) as Item;
    const found = extractSearchable(item, (hash) => this.#readBody(hash));
    if (!found) return;
    const { kind, isMine, isError, text } = found;
    const [tool, path] = [found.tool ?? null, found.path ?? null];
    const parts = collectWordParts(path === null ? text : `${text} ${path}`);
    const at = item.at ?? null;
    const place = [session, row.id, row.order, at] as const;
    this.#write.add.run(...place, kind, tool, path, Number(isMine), Number(isError), text, parts);
  }

  #readBody(hash: string): string | undefined {
    const found = this.#read.blob.get(hash, MAX_BODY_BYTES);
    return found ? new TextDecoder().decode(found.bytes) : undefined;
  }
}

function prepareReads(store: Statements) {
  return {
    items: store.prepare<ItemRow, [string, number, number]>(
      `SELECT "id", "order", "rev", "json" FROM items WHERE "session" = ? AND "rev" > ?
       ORDER BY "rev" LIMIT ?`,
    ),
    head: store.prepare<{ rev: number }, [string]>(`SELECT "rev" FROM heads WHERE "session" = ?`),
    heads: store.prepare<IndexedSession, []>(`SELECT "session", "rev" FROM heads`),
    blob: store.prepare<{ bytes: Uint8Array }, [string, number]>(
      `SELECT "bytes" FROM blobs WHERE "hash" = ? AND length("bytes") BETWEEN 1 AND ?`,
    ),
  };
}

function prepareWrites(index: Statements) {
  return {
    indexed: index.prepare<IndexedSession, []>(`SELECT "session", "rev" FROM indexed`),
    rev: index.prepare<{ rev: number }, [string]>(`SELECT "rev" FROM indexed WHERE "session" = ?`),
    setRev: index.prepare<unknown, [string, number]>(
      `INSERT INTO indexed VALUES (?, ?) ON CONFLICT DO UPDATE SET "rev" = excluded."rev"`,
    ),
    remove: index.prepare<unknown, [string, string]>(
      `DELETE FROM entries WHERE "session" = ? AND "item" = ?`,
    ),
    add: index.prepare<unknown, NewEntry>(
      `INSERT INTO entries ("session", "item", "order", "at", "kind", "tool", "path", "isMine",
       "isError", "text", "parts") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    removeSession: index.prepare<unknown, [string]>(`DELETE FROM entries WHERE "session" = ?`),
    emptyLog: index.prepare<unknown, []>("PRAGMA wal_checkpoint(TRUNCATE)"),
    forgetSession: index.prepare<unknown, [string]>(`DELETE FROM indexed WHERE "session" = ?`),
  };
}
