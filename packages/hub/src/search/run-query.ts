import type { Database, Statement } from "bun:sqlite";
import type { SearchQuery } from "./parse-query.ts";
import { makeSnippet, type SnippetPart } from "./snippet.ts";

/** What is looked for, and in which sessions. */
export interface SearchRequest {
  readonly query: SearchQuery;
  /** Undefined: in all. */
  readonly sessions: readonly string[] | undefined;
  readonly limit: number;
  readonly now: number;
}

/** An item that was found. */
interface SearchHit {
  readonly session: string;
  readonly item: string;
  readonly at: number | null;
  readonly kind: string;
  readonly tool: string | null;
  readonly path: string | null;
  readonly isError: boolean;
  readonly snippet: readonly SnippetPart[];
}

export interface SearchHits {
  readonly hits: readonly SearchHit[];
  readonly more: boolean;
}

interface EntryRow extends Omit<SearchHit, "isError" | "snippet"> {
  readonly id: number;
  readonly isError: number;
  readonly score: number;
}

/** Of a word that occurs more often, the newest entries are ranked. */
const MAX_RANKED = 4000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** After this many days an entry counts about a third of what it counted for being new. */
const RECENT_DAYS = 30;

/** Runs searches against the index. */
export class QueryRunner implements Disposable {
  readonly #db: Database;
  readonly #text: Statement<{ text: string }, [number]>;

  constructor(db: Database) {
    this.#db = db;
    this.#text = db.prepare(`SELECT "text" FROM entries WHERE "id" = ?`);
  }

  run(request: SearchRequest): SearchHits {
    const { query, limit, now } = request;
    const ranked = this.#find(request).toSorted(
      (a, b) => rank(b, now) - rank(a, now) || (b.at ?? 0) - (a.at ?? 0),
    );
    const hits = ranked.slice(0, limit).map((row) => ({
      session: row.session,
      item: row.item,
      at: row.at,
      kind: row.kind,
      tool: row.tool,
      path: row.path,
      isError: row.isError === 1,
      snippet: makeSnippet(this.#text.get(row.id)?.text ?? "", query.words),
    }));
    return { hits, more: ranked.length > limit };
  }

  [Symbol.dispose](): void {
    this.#text.finalize();
  }

  #find({ query, sessions }: SearchRequest): EntryRow[] {
    const conditions: string[] = [];
    const values: (string | number)[] = [];
    const need = (condition: string, ...more: (string | number)[]) => {
      conditions.push(condition);
      values.push(...more);
    };
    if (query.match !== undefined) need(`words MATCH ?`, query.match);
    if (sessions) need(`e."session" IN (SELECT value FROM json_each(?))`, JSON.stringify(sessions));
    for (const path of query.paths) need(`instr(lower(e."path"), ?) > 0`, path);
    if (query.tools.length > 0)
      need(`lower(e."tool") IN (SELECT value FROM json_each(?))`, JSON.stringify(query.tools));
    if (query.before !== undefined) need(`e."at" < ?`, query.before);
    if (query.after !== undefined) need(`e."at" >= ?`, query.after);
    if (query.isError) need(`e."isError" = 1`);
    if (query.isFromMe) need(`e."isMine" = 1`);
    if (conditions.length === 0) return [];
    const columns = `e."id", e."session", e."item", e."at", e."kind", e."tool", e."path", e."isError"`;
    const where = conditions.join(" AND ");
    const sql =
      query.match === undefined
        ? `SELECT ${columns}, 1.0 AS "score" FROM entries e WHERE ${where}
           ORDER BY e."at" DESC LIMIT ${MAX_RANKED}`
        : `SELECT ${columns}, -bm25(words, 4.0, 1.0, 4.0) AS "score"
           FROM words CROSS JOIN entries e ON e."id" = words.rowid
           WHERE ${where} ORDER BY words.rowid DESC LIMIT ${MAX_RANKED}`;
    const statement = this.#db.prepare<EntryRow, (string | number)[]>(sql);
    try {
      return statement.all(...values);
    } finally {
      statement.finalize();
    }
  }
}

/** How well it matches, and up to half as much again for being new. */
function rank({ score, at }: EntryRow, now: number): number {
  const days = Math.max(0, now - (at ?? 0)) / DAY_MS;
  return score * (1 + 0.5 * Math.exp(-days / RECENT_DAYS));
}
