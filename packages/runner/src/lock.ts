import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, constants, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { SignalboxError } from "@signalbox/protocol";

/** The file cannot be used as a lock, because it is a link or contains something else. */
export class UnusableLock extends Error {
  override readonly name = "UnusableLock";
}

/** Keeps the databases referenced: a garbage-collected `Database` releases its lock. */
const activeLocks = new Set<Database>();

/**
 * Locks a file for this process, or returns "taken" if another process has locked it. The operating system
 * releases the lock when the process ends for any reason, so neither a leftover file nor a reused process id
 * matters. Nothing else may open the file, because closing it would release the lock.
 */
export function lockFile(path: string): Disposable | "taken" {
  createFile(path);
  let database: Database | undefined;
  try {
    database = new Database(path, { create: false, readwrite: true });
    database.run("PRAGMA busy_timeout = 0");
    database.run("PRAGMA journal_mode = MEMORY"); // so that no second file is written, which would fail on a full disk
    database.run("BEGIN EXCLUSIVE");
  } catch (cause) {
    database?.close();
    if (cause instanceof SQLiteError && cause.code?.startsWith("SQLITE_BUSY")) return "taken";
    throw new UnusableLock(`${path} cannot be used as a lock (${(cause as Error).message}).`, {
      cause,
    });
  }
  const lock = database;
  activeLocks.add(lock);
  return {
    [Symbol.dispose]() {
      if (activeLocks.delete(lock)) lock.close();
    },
  };
}

/** Creates the file without opening an existing one, which this process may have locked already. */
function createFile(path: string): void {
  const { O_CREAT, O_EXCL, O_RDWR } = constants;
  try {
    closeSync(openSync(path, O_CREAT | O_EXCL | O_RDWR, 0o600));
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    if (code === "EEXIST" && !isLink) return;
    const why = isLink ? "it is a link" : message;
    throw new UnusableLock(`${path} cannot be used as a lock (${why}).`, { cause });
  }
}

/** Locks the data folder of a runner. Throws `FOLDER_IN_USE` when another runner has it. */
export function lockRunnerFolder(folder: string): Disposable {
  const lock = lockFile(join(folder, LOCK_FILE));
  if (lock === "taken") throw new SignalboxError("FOLDER_IN_USE", { folder, by: "runner" });
  return lock;
}
const LOCK_FILE = "runner.lock";

/** Whether a runner is using this data folder. */
export function isRunnerFolderLocked(folder: string): boolean {
  const lock = lockFile(join(folder, LOCK_FILE));
  if (lock === "taken") return true;
  lock[Symbol.dispose]();
  return false;
}
