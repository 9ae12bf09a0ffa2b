import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";

/** The data folder or something in it may be controlled by somebody else. */
export class FolderRefusedError extends Error {
  override readonly name = "FolderRefusedError";
  readonly code = "FOLDER_REFUSED";
}

/**
 * Makes the data folder private: creates it if it is missing, and removes all access of other users to it and
 * its files. Links and files of other users are refused, since their owner decides what they hold. No file is
 * opened, because closing a file that another part of the process has locked would release its lock.
 */
export function prepareFolder(folder: string): void {
  process.umask(0o077); // applies to what SQLite and other libraries create, too
  const path = resolve(folder); // without a trailing slash, which would follow a link
  if (containsFolder(path, homedir())) {
    const why =
      "contains your home folder. All files in it would become private and could not be hidden from agents. Choose a separate folder";
    throw folderError(path, why);
  }
  const found = statFolder(path);
  if (!found) makeFolder(path);
  else if (found.isSymbolicLink()) {
    throw folderError(path, "is a link. Name the folder to which it leads, or choose another one");
  } else if (!found.isDirectory()) throw folderError(path, "is not a folder. Choose another one");
  makePrivate(path, lstatSync(path));
}

/** Whether a folder is the same as another or contains it, by name or through links. */
export function containsFolder(folder: string, inner: string): boolean {
  const holds = (outer: string, path: string) =>
    path === outer || path.startsWith(outer === sep ? sep : outer + sep);
  return holds(folder, inner) || holds(realPath(folder), realPath(inner));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // the path does not exist, so it has no links
  }
}

function statFolder(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw folderError(
      path,
      `cannot be opened (${(error as Error).message}). Choose another folder`,
    );
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw folderError(
      path,
      `cannot be created (${(error as Error).message}). Choose another folder`,
    );
  }
}

function makePrivate(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw folderError(path, "is a link. Remove it");
  if (stats.uid !== process.getuid?.()) {
    throw folderError(path, `belongs to another user (${stats.uid}). Choose a folder of your own`);
  }
  // The owner's permission to execute is kept, because agents that were installed here are programs.
  if ((stats.mode & 0o077) !== 0) removeForeignAccess(path, stats.mode & 0o700);
  if (!stats.isDirectory()) return;
  for (const name of readdirSync(path)) {
    const inner = join(path, name);
    const stats = lstatSync(inner, { throwIfNoEntry: false }); // a file of another process may be gone again
    if (stats) makePrivate(inner, stats);
  }
}

function removeForeignAccess(path: string, mode: number): void {
  try {
    chmodSync(path, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EROFS" && code !== "ENOENT") throw error; // a read-only disk is left as it is
  }
}

function folderError(path: string, why: string): FolderRefusedError {
  return new FolderRefusedError(`${path} ${why}. Nothing was changed.`);
}
