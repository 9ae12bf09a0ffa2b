import { constants, Database } from "bun:sqlite";
import { pathToFileURL } from "node:url";
import { migrations } from "./migrations.ts";

export const DATABASE = "signalbox.sqlite";

/** How long a write waits for another program that has locked the database. */
export const BUSY_WAIT_MS = 2000;

/** The database was written by a newer version of this program, whose format is unknown. */
class DatabaseTooNewError extends Error {
  override readonly name = "DatabaseTooNewError";
  constructor(version: number, known: number) {
    super(
      `The database has version ${version}, which is newer than this program supports (${known}). Nothing was changed. Start the newer program, or choose another data folder.`,
    );
  }
}

/** Opens the database for writing and migrates it. */
export function openForWriting(path: string, upTo: readonly string[] = migrations): Database {
  const db = new Database(path, { create: true, readwrite: true });
  try {
    db.run(`PRAGMA busy_timeout = ${BUSY_WAIT_MS}`);
    refuseNewer(db, upTo.length);
    db.run("PRAGMA journal_mode = WAL");
    db.run("PRAGMA synchronous = FULL");
    db.run("PRAGMA foreign_keys = ON");
    db.run("PRAGMA trusted_schema = OFF");
    db.run("PRAGMA cache_size = -8000");
    // The writer makes checkpoints itself, after it has answered, so that it gets their errors.
    db.run("PRAGMA wal_autocheckpoint = 0");
    db.run("PRAGMA journal_size_limit = 67108864");
    db.run("PRAGMA secure_delete = ON"); // deleted data is overwritten
    migrate(db, upTo);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens an existing database for reading; `frozen` if nobody can write to its disk. */
export function openForReading(path: string, frozen = false): Database {
  const name = frozen ? `${pathToFileURL(path).href}?immutable=1` : path;
  const db = new Database(name, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  try {
    db.run("PRAGMA busy_timeout = 2000");
    db.run("PRAGMA trusted_schema = OFF");
    db.run("PRAGMA cache_size = -8000");
    const version = readVersion(db);
    refuseNewer(db, migrations.length);
    if (version < migrations.length) throw new Error(`The database has the old version ${version}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens an empty database, to be read if there is none that can be opened. */
export function openEmpty(): Database {
  const db = new Database(":memory:");
  migrate(db, migrations);
  return db;
}

function migrate(db: Database, upTo: readonly string[]): void {
  for (let version = readVersion(db); version < upTo.length; version++) {
    inTransaction(db, () => {
      db.run(upTo[version] ?? "");
      db.run(`PRAGMA user_version = ${version + 1}`);
    });
  }
}

/** (Bun's own `transaction` keeps statements that hold the database open after its `close`.) */
export function inTransaction<T>(db: Database, work: () => T): T {
  db.run("BEGIN IMMEDIATE");
  try {
    const result = work();
    db.run("COMMIT");
    return result;
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK"); // after some errors SQLite has already rolled back
    throw error;
  }
}

function refuseNewer(db: Database, known: number): void {
  const version = readVersion(db);
  if (version > known) throw new DatabaseTooNewError(version, known);
}

function readVersion(db: Database): number {
  const row = db.query<{ user_version: number }, []>("PRAGMA user_version").get();
  return row?.user_version ?? 0;
}
