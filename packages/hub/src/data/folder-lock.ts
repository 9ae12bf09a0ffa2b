import { rmSync } from "node:fs";
import { join } from "node:path";
import { lockFile, UnusableLock } from "@signalbox/runner/lock";
import { FolderRefusedError } from "./folder.ts";
import { lockFolderItself } from "./os-folder-lock.ts";
import { readPrivateFile, replacePrivateFile } from "./private-file.ts";

/** Another process has locked the folder. */
export class FolderLockedError extends Error {
  override readonly name = "FolderLockedError";
  readonly code = "FOLDER_LOCKED";

  constructor(folder: string, holder: string) {
    super(
      `${folder} is in use by another ${holder}. Stop it first, or choose another data folder.`,
    );
  }
}

export interface FolderLock {
  release(): void;
}

/**
 * Locks a data folder for one hub. The owner is written beside the lock for people to read. The folder itself
 * is locked, too, so that deleting the lock file does not let a second hub in.
 */
export function lockFolder(folder: string): FolderLock {
  const owner = join(folder, "hub.owner");
  const claim = lockFolderItself(folder);
  if (claim === "taken") throw lockedError(folder, owner);
  try {
    const lock = lockFile(join(folder, "hub.lock"));
    if (lock === "taken") throw lockedError(folder, owner);
    writeOwner(owner);
    let isReleased = false;
    return {
      release() {
        if (isReleased) return;
        isReleased = true;
        rmSync(owner, { force: true });
        lock[Symbol.dispose]();
        claim?.release();
      },
    };
  } catch (error) {
    claim?.release();
    if (!(error instanceof UnusableLock)) throw error;
    throw new FolderRefusedError(
      `${error.message} Remove it, or choose another data folder. Nothing was changed.`,
    );
  }
}

function lockedError(folder: string, owner: string): FolderLockedError {
  return new FolderLockedError(folder, `hub (${readOwner(owner)})`);
}

/** Writes who holds the lock. If that fails, as on a full disk, the lock still holds. */
function writeOwner(path: string): void {
  try {
    replacePrivateFile(path, `process ${process.pid}, since ${new Date().toISOString()}`);
  } catch {
    rmSync(path, { force: true });
  }
}

function readOwner(path: string): string {
  try {
    return readPrivateFile(path) ?? "process unknown";
  } catch {
    return "process unknown";
  }
}
