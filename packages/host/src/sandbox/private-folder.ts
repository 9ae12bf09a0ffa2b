import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folders in which any user may create folders, regardless of the process's environment. */
const TEMPORARY = "/tmp";
/**
 * Name patterns of the user's private folder, and of those in which earlier versions stored sockets
 * and data.
 */
const ownNames = /^signalbox-(?:\d+$|(?:http|model|demo-data)-)/;

/**
 * Returns the folder for sockets that do not fit in a data folder: its path is always short enough,
 * and every isolated agent sees it empty. Throws if it is not owned by this user alone, because
 * another user could have created it.
 */
export function openPrivateFolder(path: string = getPrivateFolderPath()): string {
  makeFolder(path);
  const stats = lstatSync(path);
  const isPrivate = stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  if (!stats.isDirectory() || !isPrivate) {
    throw new Error(`${path} is not a folder that only this user can enter: remove it`);
  }
  return path;
}

/**
 * Lists the private folders in all temporary folders. This user's is created, so that it is hidden
 * from agents that run before a socket is first opened in it.
 */
export function listPrivateFolders(
  env: Readonly<Record<string, string | undefined>> = {},
): string[] {
  makeFolder(getPrivateFolderPath());
  const named = [env["TMPDIR"], env["CLAUDE_CODE_TMPDIR"]].filter((path) => path?.startsWith("/"));
  const folders = new Set([TEMPORARY, "/var/tmp", tmpdir(), ...named.map(String)]);
  return [...folders].flatMap((folder) =>
    listNames(folder)
      .filter((name) => ownNames.test(name))
      .map((name) => join(folder, name)),
  );
}

function getPrivateFolderPath(): string {
  return join(TEMPORARY, `signalbox-${process.getuid?.() ?? 0}`);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // The folder exists, or this user cannot create it.
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
