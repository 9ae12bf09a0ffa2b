import { errorMessage } from "@signalbox/protocol/text";
import { constants, Database } from "bun:sqlite";
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { randomUUID } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { replacePrivateFile } from "../data/private-file.ts";
import { SHARED_KEY } from "../devices/identity.ts";
import { ENVIRONMENTS, removeSecrets, SALT } from "../services/stored-environments.ts";
import { getDatabasePath, listFilesToBackUp, isKeyFile, LAST_BACKUP } from "./backup-files.ts";
import { BackupError } from "./backup-error.ts";

export interface Backup {
  readonly file: string;
  readonly bytes: number;
  /** How many files of the data folder it holds in addition to the database. */
  readonly files: number;
}

export interface BackupOptions {
  /** Includes private keys, with which anybody can pass for this hub, and the secrets of environment profiles. */
  readonly withKeys?: boolean;
  readonly now?: Date;
}

/**
 * Writes a backup to one file: a consistent copy of the database, which SQLite makes while the hub may go on
 * writing, with a table for the other files of the data folder. Private keys and the secrets of environment
 * profiles are left out unless they are requested, because a backup may lie where agents and others can read
 * it. The file is readable by its owner
 * only, since it holds all conversations.
 */
export function makeBackup(folder: string, file: string, options: BackupOptions = {}): Backup {
  const { withKeys = false, now = new Date() } = options;
  const target = resolve(file);
  const database = getDatabasePath(folder);
  if (!existsSync(database)) {
    throw new BackupError(
      `${folder} contains no database. Use --data to name the hub's data folder.`,
    );
  }
  if (lstatSync(target, { throwIfNoEntry: false })) {
    throw new BackupError(`${target} already exists. Choose a file name that does not exist.`);
  }
  const umask = process.umask(0o077);
  const draft = `${target}.${randomUUID()}.part`;
  try {
    copyDatabase(database, draft);
    const files = addFiles(folder, draft, withKeys, now);
    sync(draft);
    renameSync(draft, target);
    sync(dirname(target));
    replacePrivateFile(
      join(folder, LAST_BACKUP),
      `${JSON.stringify({ at: now.getTime(), file: target })}\n`,
    );
    return { file: target, bytes: lstatSync(target).size, files };
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `The backup could not be written to ${target} (${errorMessage(error)}). The incomplete file was removed.`,
    );
  } finally {
    for (const end of ["", "-journal"]) rmSync(draft + end, { force: true });
    process.umask(umask);
  }
}

function copyDatabase(database: string, draft: string): void {
  const flags = constants.SQLITE_OPEN_READONLY;
  using db = new Database(database, flags);
  try {
    db.run("PRAGMA busy_timeout = 10000");
    db.run("VACUUM INTO ?", [draft]);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (!code.startsWith("SQLITE_CORRUPT") && !code.startsWith("SQLITE_NOTADB")) throw error;
    throw new BackupError(
      `The database ${database} is damaged and cannot be copied completely (${errorMessage(error)}). Stop the hub and copy the whole folder ${dirname(database)} to a safe place; then restore an older backup.`,
    );
  }
}

function addFiles(folder: string, draft: string, withKeys: boolean, now: Date): number {
  using db = new Database(draft, { readwrite: true });
  db.run(
    `CREATE TABLE backupFiles ("path" TEXT PRIMARY KEY, "mode" INTEGER NOT NULL, "bytes" BLOB NOT NULL) STRICT`,
  );
  db.run(`CREATE TABLE backupFacts ("at" REAL NOT NULL, "folder" TEXT NOT NULL) STRICT`);
  db.run("INSERT INTO backupFacts VALUES (?, ?)", [now.getTime(), folder]);
  const names = listFilesToBackUp(folder).filter((name) => withKeys || !isKeyFile(name));
  if (!withKeys) {
    db.run("PRAGMA secure_delete = ON");
    db.run(`DELETE FROM settings WHERE "key" = ?`, [SHARED_KEY]);
    removeEnvironmentSecrets(db);
  }
  let count = 0;
  for (const name of names) {
    const path = join(folder, name);
    try {
      const bytes = readFileSync(path);
      const { mode } = lstatSync(path);
      db.run("INSERT INTO backupFiles VALUES (?, ?, ?)", [name, mode & 0o700, bytes]);
      count += 1;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error; // the running hub has removed the file
    }
  }
  const [found] = db.query<{ quick_check: string }, []>("PRAGMA quick_check(1)").all();
  if (found?.quick_check === "ok") return count;
  throw new BackupError(
    `The copy of the database is damaged (${found?.quick_check}), and so is the database itself. Stop the hub and copy the whole folder ${folder} to a safe place; then restore an older backup.`,
  );
}

/** The names of the variables stay, so that the restored hub can say which values are missing. */
function removeEnvironmentSecrets(db: Database): void {
  const select = `SELECT "value" FROM settings WHERE "key" = ?`;
  const stored = db.query<{ value: string }, [string]>(select).get(ENVIRONMENTS);
  if (!stored) return;
  db.run(`DELETE FROM settings WHERE "key" = ?`, [SALT]); // with it, the audit's digests could be guessed
  const update = `UPDATE settings SET "value" = ? WHERE "key" = ?`;
  db.run(update, [removeSecrets(stored.value), ENVIRONMENTS]);
}

function sync(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
