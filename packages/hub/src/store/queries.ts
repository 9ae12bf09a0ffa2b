import type {
  AskRow,
  AuditRow,
  ByteRange,
  HeadRow,
  ItemRow,
  LineRow,
  IdPageRow,
  ReceiptRow,
  RunRow,
  RunLineCounts,
  SessionRow,
  Store,
  StoredSession,
} from "./store.ts";
import { FIRST_HEAD, verifyChain } from "./audit-chain.ts";
import type { Statements } from "./statements.ts";
import { restoreRow, selectFrom, type Table, tables } from "./tables.ts";

/** The queries of a store: all methods of `Store` that read and write nothing. */
type StoreReads = Omit<
  Store,
  | "epoch"
  | "machine"
  | "claim"
  | "health"
  | "lastCheck"
  | "onHealth"
  | "commit"
  | "signAudit"
  | typeof Symbol.asyncDispose
>;
type ReadName = keyof StoreReads;
type Sync<Read> = Read extends (...values: infer Values) => Promise<infer Result>
  ? (...values: Values) => Result
  : never;
/** The same queries on the thread that has the database, which answers synchronously. */
export type Queries = { readonly [Name in ReadName]: Sync<StoreReads[Name]> } & {
  readonly epoch: () => string;
  readonly machine: () => string;
  /**
   * Writes everything that is stored to a new file, even if the database's own files were deleted
   * or moved.
   */
  readonly saveCopy: (path: string) => void;
  /** Returns the problems of the database's structure. */
  readonly quickCheck: () => string[];
};

/** The maximum number of reported findings of a quick check. */
const MAX_PROBLEMS = 10;
/** Greater than every place and position. */
const LAST = Number.MAX_SAFE_INTEGER;

export function prepareQueries(db: Statements): Queries {
  const all = <Row>(table: Table, rest = ""): ((...values: (string | number)[]) => Row[]) => {
    const statement = db.prepare<Record<string, unknown>>(`${selectFrom(table)} ${rest}`);
    return (...values) => statement.all(...values).map((row) => restoreRow(table, row) as Row);
  };
  const first =
    <Row>(rows: (...values: string[]) => Row[]) =>
    (...values: string[]): Row | undefined =>
      rows(...values)[0];
  const { session, head, memory, item, run, ask, prompt, draft, order, receipt, device, audit } =
    tables;
  const { transcript } = tables;
  const setting = db.prepare<{ value: string }, [string]>(
    `SELECT "value" FROM settings WHERE "key" = ?`,
  );
  const itemsBefore = all<ItemRow>(
    item,
    `WHERE "session" = ? AND "order" < ? ORDER BY "order" DESC LIMIT ?`,
  );
  const itemsContaining = all<ItemRow>(
    item,
    `WHERE "session" = ? AND instr("json", ?) > 0 ORDER BY "order" DESC LIMIT ?`,
  );
  const auditBefore = all<AuditRow>(audit, `WHERE "nth" < ? ORDER BY "nth" DESC LIMIT ?`);
  const lastEntry = db.prepare<{ hash: string }, []>(
    `SELECT "hash" FROM audit ORDER BY "nth" DESC LIMIT 1`,
  );
  const chain = db.prepare<Omit<AuditRow, "facts"> & { facts: string }, []>(
    `${selectFrom(audit)} ORDER BY "nth"`,
  );
  const check = db.prepare<{ integrity_check: string }, []>("PRAGMA integrity_check");
  const copy = db.prepare<unknown, [string]>("VACUUM INTO ?");
  const quick = db.prepare<{ quick_check: string }, []>(`PRAGMA quick_check(${MAX_PROBLEMS})`);
  return {
    saveCopy: (path) => void copy.run(path),
    quickCheck: () =>
      quick.all().flatMap((row) => (row.quick_check === "ok" ? [] : [row.quick_check])),
    epoch: () => setting.get("store.epoch")?.value ?? "",
    machine: () => setting.get("store.machine")?.value ?? "",
    sessions: all(session, `ORDER BY "createdAt", "id"`),
    storedSessions: prepareStoredSessions(db),
    head: first(all<HeadRow>(head, `WHERE "session" = ?`)),
    progress: prepareProgress(db),
    idPages: all<IdPageRow>(memory, `WHERE "session" = ?`),
    itemsBefore: (id, before, limit) => itemsBefore(id, before ?? LAST, limit).toReversed(),
    itemsContaining: (id, text, limit) => itemsContaining(id, text, limit).toReversed(),
    itemsAfterRev: prepareItemsAfterRev(db),
    countItems: prepareCountItems(db),
    item: first(all<ItemRow>(item, `WHERE "session" = ? AND "id" = ?`)),
    ...prepareLines(db),
    run: first(all<RunRow>(run, `WHERE "id" = ?`)),
    openAsks: all(ask, `WHERE "status" = 'open' ORDER BY "openedAt", rowid`),
    ask: first(all<AskRow>(ask, `WHERE "id" = ?`)),
    prompts: all(prompt, `ORDER BY "session", "place", rowid`),
    transcripts: all(transcript, `ORDER BY "writtenAt" DESC`),
    messageIds: prepareMessageIds(db),
    drafts: all(draft, `ORDER BY "name"`),
    orders: all(order, `WHERE "runner" = ? ORDER BY rowid`),
    receipt: first(all<ReceiptRow>(receipt, `WHERE "id" = ?`)),
    devices: all(device, `ORDER BY "createdAt", "id"`),
    audit: all(audit, `WHERE "nth" > ? ORDER BY "nth" LIMIT ?`),
    auditBefore: (before, limit) => auditBefore(before ?? LAST, limit),
    auditHead: () => lastEntry.get()?.hash ?? FIRST_HEAD,
    verifyAudit: (keptHeads, signing) => verifyChain(chain.iterate(), keptHeads, signing),
    ...prepareBlobs(db),
    setting: (key) => setting.get(key)?.value,
    checkIntegrity: () =>
      check.all().flatMap((row) => (row.integrity_check === "ok" ? [] : [row.integrity_check])),
  };
}

/** One query for any number of sessions, so that the hub starts quickly. */
function prepareStoredSessions(db: Statements): Queries["storedSessions"] {
  const { session, run } = tables;
  const columns = [
    ...session.columns.map((name) => `s."${name}" AS "session.${name}"`),
    ...run.columns.map((name) => `r."${name}" AS "run.${name}"`),
    `h."summary" AS "head.summary", h."rev" AS "head.rev"`,
  ];
  const all = db.prepare<Record<string, unknown>, []>(
    `SELECT ${columns.join(", ")} FROM sessions s
     LEFT JOIN runs r ON r."id" = s."run" LEFT JOIN heads h ON h."session" = s."id"
     ORDER BY s."createdAt", s."id"`,
  );
  const pick = (row: Record<string, unknown>, prefix: string, table: Table): unknown => {
    const fields = table.columns.map((name) => [name, row[`${prefix}.${name}`]]);
    return restoreRow(table, Object.fromEntries(fields) as Record<string, unknown>);
  };
  return () =>
    all.all().map((row) => {
      const { "head.summary": summary, "head.rev": rev } = row;
      return {
        row: pick(row, "session", session) as SessionRow,
        run: row["run.id"] === null ? undefined : (pick(row, "run", run) as RunRow),
        head: summary === null ? undefined : ({ summary, rev } as StoredSession["head"]),
      };
    });
}

/** One query, so that both results are from the same commit. */
function prepareProgress(db: Statements): Queries["progress"] {
  const columns = tables.head.columns.map((name) => `h."${name}"`);
  const find = db.prepare<HeadRow & { number: number | null; state: string | null }, [string]>(
    `SELECT ${columns.join(", ")}, c."number", c."state" FROM heads h
     LEFT JOIN checkpoints c ON c."session" = h."session" WHERE h."session" = ?`,
  );
  return (session) => {
    const found = find.get(session);
    if (!found) return undefined;
    const { number, state, ...head } = found;
    const hasCheckpoint = number !== null && state !== null;
    return { head, checkpoint: hasCheckpoint ? { session, number, state } : undefined };
  };
}

function prepareMessageIds(db: Statements): Queries["messageIds"] {
  const prepare = (condition: string) =>
    db.prepare<{ id: string | null }, [string, number]>(
      `SELECT CASE WHEN json_valid(t) THEN coalesce(t ->> '$.uuid', t ->> '$.entry.uuid') END AS "id"
     FROM (SELECT l."pos", coalesce(l."text", CAST(b."bytes" AS TEXT)) AS t
           FROM lines l LEFT JOIN blobs b ON b."hash" = l."textBlob"
           WHERE l."session" = ? AND l."from" <> 'keeper' ${condition} ORDER BY l."pos" DESC LIMIT ?)`,
    );
  const statements = { all: prepare(""), runs: prepare(`AND l."run" IS NOT NULL`) };
  return (session, from, limit) =>
    statements[from].all(session, limit).flatMap(({ id }) => id ?? []);
}

function prepareItemsAfterRev(db: Statements): Queries["itemsAfterRev"] {
  const after = db.prepare<ItemRow, [string, number]>(
    `${selectFrom(tables.item)} WHERE "session" = ? AND "rev" > ? ORDER BY "rev", "order"`,
  );
  return (session, rev, maxBytes) => {
    const rows: ItemRow[] = [];
    let bytes = 0;
    for (const row of after.iterate(session, rev)) {
      bytes += Buffer.byteLength(row.json);
      const last = rows.at(-1);
      if (last && bytes > maxBytes && row.rev !== last.rev) break;
      rows.push(row);
    }
    return rows;
  };
}

function prepareCountItems(db: Statements): Queries["countItems"] {
  const count = db.prepare<{ count: number }, [string, number]>(
    `SELECT count(*) AS "count" FROM items WHERE "session" = ? AND "rev" > ?`,
  );
  return (session, afterRev) => count.get(session, afterRev)?.count ?? 0;
}

function prepareLines(
  db: Statements,
): Pick<Queries, "linesAfter" | "linesBefore" | "countRunLines" | "runLines"> {
  const columns = tables.line.columns
    .filter((name) => name !== "text" && name !== "original")
    .map((name) => `l."${name}"`);
  const select = `
    SELECT ${columns.join(", ")}, coalesce(l."text", CAST(t."bytes" AS TEXT)) AS "text",
           coalesce(l."original", nullif(o."bytes", x'')) AS "original"
    FROM lines l LEFT JOIN blobs t ON t."hash" = l."textBlob"
                 LEFT JOIN blobs o ON o."hash" = l."originalBlob"`;
  type Values = [string, number, number];
  const after = db.prepare<LineRow, Values>(
    `${select} WHERE l."session" = ? AND l."pos" > ? ORDER BY l."pos" LIMIT ?`,
  );
  const before = db.prepare<LineRow, Values>(
    `${select} WHERE l."session" = ? AND l."pos" < ? ORDER BY l."pos" DESC LIMIT ?`,
  );
  const countRunLines = db.prepare<RunLineCounts, [string, string]>(
    `SELECT min("seq") AS "first", count(*) FILTER (WHERE "from" <> 'agent') AS "others"
     FROM lines WHERE "session" = ? AND "run" = ? AND "seq" IS NOT NULL`,
  );
  const runLines = db.prepare<LineRow, [string, string, string, number]>(
    `${select} WHERE l."session" = ? AND l."run" = ? AND l."from" = ? ORDER BY l."pos" LIMIT ?`,
  );
  return {
    countRunLines: (session, run) => countRunLines.get(session, run) ?? { first: null, others: 0 },
    runLines: (session, run, from, limit) => runLines.all(session, run, from, limit),
    linesAfter: (session, pos, limit, maxBytes = Number.POSITIVE_INFINITY) => {
      const rows: LineRow[] = [];
      let bytes = 0;
      for (const row of after.iterate(session, pos, limit)) {
        bytes += Buffer.byteLength(row.text);
        if (rows.length > 0 && bytes > maxBytes) break;
        rows.push(row);
      }
      return rows;
    },
    linesBefore: (session, pos, limit) => before.all(session, pos ?? LAST, limit).toReversed(),
  };
}

function prepareBlobs(db: Statements): Pick<Queries, "blob" | "blobSize"> {
  const size = db.prepare<{ size: number }, [string]>(
    `SELECT coalesce(l."size", length(b."bytes")) AS "size"
     FROM blobs b LEFT JOIN longBlobs l ON l."hash" = b."hash" WHERE b."hash" = ?`,
  );
  const part = db.prepare<{ bytes: Uint8Array }, [number, number, string]>(
    `SELECT substr("bytes", ?, ?) AS "bytes" FROM blobs WHERE "hash" = ?`,
  );
  const long = db.prepare<{ of: string; size: number }, [string]>(
    `SELECT "of", "size" FROM longBlobs WHERE "hash" = ?`,
  );
  const pieces = db.prepare<{ start: number; bytes: Uint8Array }, [string, number, number]>(
    `SELECT "start", "bytes" FROM pieces
     WHERE "of" = ?1 AND "start" < ?3 AND "start" + length("bytes") > ?2 ORDER BY "start"`,
  );
  /** Returns the pieces that the range touches, each copied to its position. */
  const joined = (of: string, { start, end }: ByteRange): Uint8Array => {
    const whole = new Uint8Array(Math.max(0, end - start));
    for (const piece of pieces.iterate(of, start, end)) {
      const skipped = Math.max(0, start - piece.start);
      const bytes = piece.bytes.subarray(skipped, end - piece.start);
      whole.set(bytes, piece.start + skipped - start);
    }
    return whole;
  };
  const whole: ByteRange = { start: 0, end: LAST };
  return {
    blobSize: (hash) => size.get(hash)?.size,
    blob: (hash, range = whole) => {
      const longText = long.get(hash);
      if (longText)
        return joined(longText.of, { ...range, end: Math.min(range.end, longText.size) });
      return part.get(range.start + 1, Math.max(0, range.end - range.start), hash)?.bytes;
    },
  };
}
