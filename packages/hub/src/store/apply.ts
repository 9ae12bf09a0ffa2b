import type { Statement } from "bun:sqlite";
import { createHash } from "node:crypto";
import { auditHash, auditSignatureText, FIRST_HEAD } from "./audit-chain.ts";
import { type Cell, END, kinds, getWidth } from "./cells.ts";
import type { NewAuditEntry, Change } from "./store.ts";
import { longBlob, storeBlob, type StoreBlob } from "./store-blob.ts";
import type { Statements } from "./statements.ts";
import { OUR_MACHINE } from "./our-machine.ts";
import { insertInto, insertOnce, tables } from "./tables.ts";

/** Longer texts are stored once, as blobs. */
const INLINE_LIMIT = 32 * 1024;

type Step = (values: Cell[]) => unknown;

/** A row that is written only once already exists. */
export class WriteConflict extends Error {}

/** Applies the changes of a list of cells, from a position up to the next END. */
export type Apply = (cells: readonly Cell[], from: number) => number;

/** Signs a text with the hub's key; undefined while no key is known. */
type SignAudit = (text: string) => string | undefined;

export function prepareApply(db: Statements, sign: SignAudit): Apply {
  const steps = prepareSteps(db, sign);
  const byNumber = kinds.map((kind) => steps[kind]);
  return (cells, from) => {
    let at = from;
    while (cells[at] !== END) {
      const next = at + 1 + getWidth(cells, at);
      byNumber[cells[at] as number]?.(cells.slice(at + 1, next));
      at = next;
    }
    return at + 1;
  };
}

function prepareSteps(db: Statements, sign: SignAudit): Record<Change["kind"], Step> {
  const insert = (kind: keyof typeof tables): Step =>
    runStatement(db.prepare(insertInto(tables[kind])));
  const remove = (table: string, by: string): Step =>
    runStatement(db.prepare(`DELETE FROM "${table}" WHERE "${by}" = ?`));
  const blob = storeBlob(db);
  return {
    session: insert("session"),
    "session-deleted": deleteSession(db),
    head: insert("head"),
    checkpoint: insert("checkpoint"),
    memory: insert("memory"),
    line: storeLine(db, blob),
    "log-copied": copyLog(db),
    item: insert("item"),
    "items-cleared": remove("items", "session"),
    run: insert("run"),
    ask: insert("ask"),
    "ask-closed": closeAsk(db),
    prompt: insert("prompt"),
    "prompt-gone": remove("prompts", "id"),
    draft: insert("draft"),
    transcript: insert("transcript"),
    order: insert("order"),
    "order-done": remove("orders", "id"),
    receipt: storeReceipt(db),
    device: insert("device"),
    "device-gone": remove("devices", "id"),
    audit: chainAudit(db, sign),
    blob: ([session, hash, bytes]) => blob(session as string, hash as string, bytes as Uint8Array),
    piece: runStatement(
      db.prepare(
        `INSERT INTO pieces ("of", "start", "bytes", "machine") VALUES (?, ?, ?, ${OUR_MACHINE})`,
      ),
    ),
    "pieces-gone": remove("pieces", "of"),
    "blob-of-pieces": longBlob(db),
    setting: insert("setting"),
    "setting-added": addSetting(db),
    "setting-gone": remove("settings", "key"),
  };
}

/** The first close of an ask wins; the write itself decides which one that is. */
function closeAsk(db: Statements): Step {
  const close = db.prepare(
    `UPDATE asks SET "status" = ?, "json" = ? WHERE "id" = ? AND "status" = 'open'`,
  );
  const [idAt, statusAt, jsonAt] = ["id", "status", "json"].map((name) =>
    tables.ask.columns.indexOf(name),
  ) as [number, number, number];
  return (values) => {
    const [id, status, json] = [values[idAt], values[statusAt], values[jsonAt]] as string[];
    const { changes } = close.run(status ?? "", json ?? "", id ?? "");
    if (changes === 0) throw new WriteConflict(`the ask ${id} is not open any more`);
  };
}

function addSetting(db: Statements): Step {
  const add = db.prepare(insertOnce(tables.setting, "key"));
  return ([key, value]) => {
    const { changes } = add.run(key as string, value as string);
    if (changes === 0) throw new WriteConflict(`the setting ${String(key)} is there already`);
  };
}

/** Runs a statement with a list of values, which is faster than separate arguments. */
function runStatement(statement: Statement): Step {
  return (values) => statement.run(values);
}

function storeLine(db: Statements, blob: StoreBlob): Step {
  const insert = runStatement(db.prepare(insertInto(tables.line)));
  const at = (name: string) => tables.line.columns.indexOf(name);
  const [textAt, textBlobAt] = [at("text"), at("textBlob")];
  const [originalAt, originalBlobAt] = [at("original"), at("originalBlob")];
  const keep = (session: string, bytes: Uint8Array): string => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    blob(session, hash, bytes);
    return hash;
  };
  return (values) => {
    const session = values[0] as string;
    const text = values[textAt] as string;
    const original = values[originalAt] as Uint8Array | null;
    if (isLong(text)) {
      values[textBlobAt] = keep(session, Buffer.from(text));
      values[textAt] = null;
    }
    if (original) {
      values[originalBlobAt] = keep(session, original);
      values[originalAt] = null;
    }
    return insert(values);
  };
}

/**
 * Copies inside the database, so that a long log is not transferred, and is copied completely or
 * not at all.
 */
function copyLog(db: Statements): Step {
  const lineColumns = tables.line.columns.filter((name) => name !== "session" && name !== "seq");
  const names = lineColumns.map((name) => `"${name}"`).join(", ");
  const lines = db.prepare(
    `INSERT INTO lines ("session", ${names}) SELECT ?2, ${names} FROM lines
     WHERE "session" = ?1 AND "pos" <= ?3`,
  );
  const hold = db.prepare(
    `INSERT OR IGNORE INTO blobHolders ("hash", "session")
     SELECT b."hash", ?2 FROM lines l JOIN blobs b ON b."hash" IN (l."textBlob", l."originalBlob")
     WHERE l."session" = ?1 AND l."pos" <= ?3`,
  );
  return ([from, to, end]) => {
    const values = [from, to, end] as [string, string, number];
    lines.run(...values);
    hold.run(...values);
  };
}

/** A UTF-16 unit takes at most three bytes, so most texts need no counting. */
function isLong(text: string): boolean {
  return text.length * 3 > INLINE_LIMIT && Buffer.byteLength(text) > INLINE_LIMIT;
}

/**
 * A command is answered once: the first receipt with its id stays. If the command's session was
 * already deleted, the text of the answer is not stored.
 */
function storeReceipt(db: Statements): Step {
  const insert = db.prepare(insertOnce(tables.receipt, "id"));
  const exists = db.prepare(`SELECT 1 FROM sessions WHERE "id" = ?`);
  const bodyAt = tables.receipt.columns.indexOf("body");
  const sessionAt = tables.receipt.columns.indexOf("session");
  return (values) => {
    const session = values[sessionAt] as string | null;
    if (session !== null && exists.get(session) === null) values[bodyAt] = "";
    const { changes } = insert.run(...values);
    if (changes === 0) throw new WriteConflict(`the command ${String(values[0])} has a receipt`);
  };
}

function deleteSession(db: Statements): Step {
  // A repeated command is still recognized, and is answered that its subject no longer exists.
  const blank = db.prepare(
    `UPDATE receipts SET "status" = 410, "body" = '' WHERE "session" = ?1 OR "id" = ?1`,
  );
  const findBlob = db.prepare<{ hash: string }, [string]>(
    `SELECT "hash" FROM blobHolders WHERE "session" = ?`,
  );
  const remove = db.prepare(`DELETE FROM sessions WHERE "id" = ?`);
  const drop = db.prepare(
    `DELETE FROM blobs WHERE "hash" = ?1 AND NOT EXISTS (SELECT 1 FROM blobHolders WHERE "hash" = ?1)`,
  );
  return ([id]) => {
    const hashes = findBlob.all(id as string);
    blank.run(id as string);
    remove.run(id as string);
    for (const { hash } of hashes) drop.run(hash);
  };
}

function chainAudit(db: Statements, sign: SignAudit): Step {
  const last = db.prepare<{ nth: number; hash: string }, []>(
    "SELECT nth, hash FROM audit ORDER BY nth DESC LIMIT 1",
  );
  const insert = db.prepare(insertInto(tables.audit));
  return ([at, what, by, session, json]) => {
    const before = last.get() ?? { nth: 0, hash: FIRST_HEAD };
    const facts = JSON.parse(json as string) as NewAuditEntry["facts"];
    const news = { at, what, by, session, facts } as NewAuditEntry;
    const nth = before.nth + 1;
    const hash = auditHash(before.hash, { ...news, nth });
    const signature = sign(auditSignatureText(hash)) ?? null;
    insert.run(nth, news.at, news.what, news.by, news.session, json as string, hash, signature);
  };
}
