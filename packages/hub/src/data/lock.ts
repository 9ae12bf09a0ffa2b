import { Database, SQLiteError } from "bun:sqlite";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { FolderRefused } from "./folder.ts";
import { claimFolder, type FolderClaim } from "./folder-claim.ts";
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
 * A hub holds the folder itself, too, so that deleting the file does not let a second hub in.
 */
export function lockFolder(folder: string, name = "hub"): FolderLock {
  const owner = join(folder, `${name}.owner`);
  const claim = name === "hub" ? claimFolder(folder) : undefined;
  if (claim === "taken") throw inUse(folder, name, owner);
  let db: Database | undefined;
  try {
    db = new Database(join(folder, `${name}.lock`), { create: true, readwrite: true });
    db.run("PRAGMA busy_timeout = 0");
    db.run("PRAGMA journal_mode = MEMORY"); // nothing is ever written: a full disk can be locked too
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    claim?.release();
    if (!(error instanceof SQLiteError)) throw error;
    if (error.code?.startsWith("SQLITE_BUSY")) throw inUse(folder, name, owner);
    throw new FolderRefused(
      `${join(folder, `${name}.lock`)} cannot be used as a lock (${error.message}). Remove it, or name another data folder. Nothing was changed.`,
    );
  }
  held.add(db);
  signOwner(owner);
  return { release: () => release(db, owner, claim) };
}

function release(db: Database, owner: string, claim: FolderClaim | undefined): void {
  if (!held.delete(db)) return;
  rmSync(owner, { force: true });
  db.close();
  claim?.release();
}

function inUse(folder: string, name: string, owner: string): FolderLocked {
  return new FolderLocked(
    `${folder} is in use by another ${name} (${readOwner(owner)}). Stop that one first, or name another data folder.`,
  );
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
