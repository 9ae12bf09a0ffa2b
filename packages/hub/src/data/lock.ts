import { Database, SQLiteError } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readPrivateFile, replacePrivateFile } from "./private-file.ts";

/** Another process holds the folder. */
export class FolderLocked extends Error {
  override readonly name = "FolderLocked";
  readonly code = "FOLDER_LOCKED";
}

export interface FolderLock {
  release(): void;
}

/** An unreferenced `Database` is collected, and its lock with it. */
const held = new Set<Database>();

/**
 * Holds a folder for one process: an exclusive transaction on a file of its own. The operating system ends
 * it with the process, so that a file left behind means nothing. The file must not be opened in any
 * other way by its holder: closing it would end the lock. Who holds it is written beside it, for people.
 */
export function lockFolder(folder: string, name = "hub"): FolderLock {
  const owner = join(folder, `${name}.owner`);
  const db = new Database(join(folder, `${name}.lock`), { create: true, readwrite: true });
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA journal_mode = MEMORY"); // nothing is ever written: a full disk can be locked too
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY")) {
      throw new FolderLocked(
        `${folder} is in use by another ${name} (${readOwner(owner)}). Stop that one first, or name another data folder.`,
      );
    }
    throw error;
  }
  held.add(db);
  signOwner(owner);
  return {
    release: () => {
      if (!held.delete(db)) return;
      rmSync(owner, { force: true });
      db.close();
    },
  };
}

/** On a full disk the lock holds all the same. */
function signOwner(path: string): void {
  try {
    replacePrivateFile(path, `process ${process.pid}, since ${new Date().toISOString()}`);
  } catch {
    rmSync(path, { force: true });
  }
}

function readOwner(path: string): string {
  try {
    return readPrivateFile(path) ?? "it has not said which";
  } catch {
    return "it has not said which";
  }
}
