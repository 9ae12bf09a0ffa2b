import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";

/** The name of the file in the data folder. All of it can be made again from the store. */
export const SEARCH_DATABASE = "search.sqlite";
/** Another number: what was indexed by an earlier version is indexed again. */
const VERSION = 1;
const WORDS = "unicode61 remove_diacritics 2 tokenchars '_'";

const schema = `
  CREATE TABLE about ("key" TEXT PRIMARY KEY, "value" TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- Up to which revision the items of a session are in the index.
  CREATE TABLE indexed (
    "session" TEXT PRIMARY KEY, "rev" INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE entries (
    "id" INTEGER PRIMARY KEY, "session" TEXT NOT NULL, "item" TEXT NOT NULL, "order" REAL NOT NULL,
    "at" REAL, "kind" TEXT NOT NULL, "tool" TEXT, "path" TEXT, "isMine" INTEGER NOT NULL,
    "isError" INTEGER NOT NULL, "text" TEXT NOT NULL, "parts" TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX entriesByItem ON entries ("session", "item");
  CREATE INDEX entriesByTime ON entries ("at");
  CREATE VIRTUAL TABLE words USING fts5(
    "text", "parts", "path", content = 'entries', content_rowid = 'id', tokenize = "${WORDS}"
  );
  CREATE TRIGGER entryAdded AFTER INSERT ON entries BEGIN
    INSERT INTO words (rowid, "text", "parts", "path")
      VALUES (new."id", new."text", new."parts", new."path");
  END;
  CREATE TRIGGER entryGone AFTER DELETE ON entries BEGIN
    INSERT INTO words (words, rowid, "text", "parts", "path")
      VALUES ('delete', old."id", old."text", old."parts", old."path");
  END;
  -- What is deleted leaves no trace in the index.
  INSERT INTO words (words, rank) VALUES ('secure-delete', 1);
`;

/**
 * Opens the index of a store. One of another version, of another store, or one that is damaged is made anew.
 * Losing it loses nothing, so it is written without waiting for the disk.
 */
export function openSearchDatabase(file: string, epoch: string): Database {
  try {
    const db = connect(file);
    if (isCurrent(db, epoch)) return db;
    db.close();
  } catch {
    // It is damaged.
  }
  for (const ending of ["", "-wal", "-shm"]) rmSync(`${file}${ending}`, { force: true });
  const db = connect(file);
  db.run(schema);
  const add = db.prepare(`INSERT INTO about VALUES (?, ?)`);
  add.run("epoch", epoch);
  add.run("version", String(VERSION));
  add.finalize();
  return db;
}

function connect(file: string): Database {
  const db = new Database(file, { create: true, readwrite: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run("PRAGMA synchronous = NORMAL");
  db.run("PRAGMA cache_size = -16000");
  db.run("PRAGMA journal_size_limit = 16777216");
  db.run("PRAGMA secure_delete = ON");
  return db;
}

function isCurrent(db: Database, epoch: string): boolean {
  const has = db.query(`SELECT 1 FROM sqlite_schema WHERE "name" = 'about'`).get() !== null;
  if (!has) return false;
  const rows = db
    .query<{ key: string; value: string }, []>(`SELECT "key", "value" FROM about`)
    .all();
  const about = new Map(rows.map(({ key, value }) => [key, value]));
  return about.get("epoch") === epoch && about.get("version") === String(VERSION);
}
