import type { Statement } from "bun:sqlite";
import { createHash } from "node:crypto";
import { auditHash, FIRST_HEAD } from "./audit-chain.ts";
import { type Cell, END, kinds, widthAt } from "./cells.ts";
import type { AuditNews, Change } from "./store.ts";
import type { Statements } from "./statements.ts";
import { insertInto, tables } from "./tables.ts";

/** Longer texts and bytes are stored once, as blobs. */
export const INLINE_LIMIT = 32 * 1024;

type Step = (values: Cell[]) => unknown;

/** Carries out the changes of a list of cells, from one place of it up to the next END. */
export type Apply = (cells: readonly Cell[], from: number) => number;

export function prepareApply(db: Statements): Apply {
  const steps = prepareSteps(db);
  const byNumber = kinds.map((kind) => steps[kind]);
  return (cells, from) => {
    let at = from;
    while (cells[at] !== END) {
      const next = at + 1 + widthAt(cells, at);
      byNumber[cells[at] as number]?.(cells.slice(at + 1, next));
      at = next;
    }
    return at + 1;
  };
}

function prepareSteps(db: Statements): Record<Change["kind"], Step> {
  const insert = (kind: keyof typeof tables): Step => running(db.prepare(insertInto(tables[kind])));
  const remove = (table: string, by: string): Step =>
    running(db.prepare(`DELETE FROM "${table}" WHERE "${by}" = ?`));
  const blob = storeBlob(db);
  return {
    session: insert("session"),
    "session-deleted": deleteSession(db),
    progress: insert("progress"),
    memory: insert("memory"),
    line: storeLine(db, blob),
    item: insert("item"),
    "items-cleared": remove("items", "session"),
    run: insert("run"),
    ask: insert("ask"),
    prompt: insert("prompt"),
    "prompt-gone": remove("prompts", "id"),
    order: insert("order"),
    "order-done": remove("orders", "id"),
    receipt: insert("receipt"),
    device: insert("device"),
    "device-gone": remove("devices", "id"),
    audit: chainAudit(db),
    blob: ([session, hash, bytes]) => blob(session as string, hash as string, bytes as Uint8Array),
    setting: insert("setting"),
  };
}

/** A list of values goes into a statement as it is; as arguments each would be looked at. */
function running(statement: Statement): Step {
  return (values) => statement.run(values);
}

type StoreBlob = (session: string, hash: string, bytes: Uint8Array) => void;

function storeBlob(db: Statements): StoreBlob {
  const insert = db.prepare(`INSERT OR IGNORE INTO blobs ("hash", "bytes") VALUES (?, ?)`);
  const hold = db.prepare(`INSERT OR IGNORE INTO blobHolders ("hash", "session") VALUES (?, ?)`);
  return (session, hash, bytes) => {
    insert.run(hash, bytes);
    hold.run(hash, session);
  };
}

function storeLine(db: Statements, blob: StoreBlob): Step {
  const inline = running(db.prepare(insertInto(tables.line)));
  const columns = [...tables.line.columns, "textBlob", "originalBlob"];
  const withBlobs = running(db.prepare(insertInto({ ...tables.line, columns })));
  const textAt = tables.line.columns.indexOf("text");
  const originalAt = tables.line.columns.indexOf("original");
  return (values) => {
    const text = values[textAt] as string;
    const original = values[originalAt] as Uint8Array | null;
    const longText = isLong(text) ? Buffer.from(text) : null;
    const longOriginal = original && original.length > INLINE_LIMIT ? original : null;
    if (!longText && !longOriginal) return inline(values);
    const keep = (bytes: Uint8Array | null): string | null => {
      if (!bytes) return null;
      const hash = createHash("sha256").update(bytes).digest("hex");
      blob(values[0] as string, hash, bytes);
      return hash;
    };
    if (longText) values[textAt] = null;
    if (longOriginal) values[originalAt] = null;
    return withBlobs([...values, keep(longText), keep(longOriginal)]);
  };
}

/** A character takes at most three bytes for each of its units, so most texts need no counting. */
function isLong(text: string): boolean {
  return text.length * 3 > INLINE_LIMIT && Buffer.byteLength(text) > INLINE_LIMIT;
}

function deleteSession(db: Statements): Step {
  const held = db.prepare<{ hash: string }, [string]>(
    `SELECT "hash" FROM blobHolders WHERE "session" = ?`,
  );
  const remove = db.prepare(`DELETE FROM sessions WHERE "id" = ?`);
  const drop = db.prepare(
    `DELETE FROM blobs WHERE "hash" = ?1 AND NOT EXISTS (SELECT 1 FROM blobHolders WHERE "hash" = ?1)`,
  );
  return ([id]) => {
    const hashes = held.all(id as string);
    remove.run(id as string);
    for (const { hash } of hashes) drop.run(hash);
  };
}

function chainAudit(db: Statements): Step {
  const last = db.prepare<{ nth: number; hash: string }, []>(
    "SELECT nth, hash FROM audit ORDER BY nth DESC LIMIT 1",
  );
  const insert = db.prepare(insertInto(tables.audit));
  return ([at, what, by, session, json]) => {
    const before = last.get() ?? { nth: 0, hash: FIRST_HEAD };
    const facts = JSON.parse(json as string) as AuditNews["facts"];
    const news = { at, what, by, session, facts } as AuditNews;
    const nth = before.nth + 1;
    const hash = auditHash(before.hash, { ...news, nth });
    insert.run(nth, news.at, news.what, news.by, news.session, json as string, hash);
  };
}
