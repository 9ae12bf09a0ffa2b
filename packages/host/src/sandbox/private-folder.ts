import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where any user may make folders, whatever the environment of the process says. */
const TEMPORARY = "/tmp";
/** Of this program's: a user's private folder, and what earlier versions kept their sockets and data in. */
const ownNames = /^signalbox-(?:\d+$|(?:http|model|demo-data)-)/;

/**
 * A folder for sockets that cannot be made in a data folder: its path is always short enough, and every
 * isolated agent finds it empty. Throws where it is not this user's alone: another user could have made it.
 */
export function openPrivateFolder(path: string = privateFolderPath()): string {
  makeFolder(path);
  const stats = lstatSync(path);
  const isPrivate = stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0;
  if (!stats.isDirectory() || !isPrivate) {
    throw new Error(`${path} is not a folder that only this user can enter: remove it`);
  }
  return path;
}

/**
 * The private folders in every temporary one. This user's is made, so that it is hidden from agents that are
 * already running when a socket is first opened in it.
 */
export function privateFolders(env: Readonly<Record<string, string | undefined>> = {}): string[] {
  makeFolder(privateFolderPath());
  const named = [env["TMPDIR"], env["CLAUDE_CODE_TMPDIR"]].filter((path) => path?.startsWith("/"));
  const folders = new Set([TEMPORARY, "/var/tmp", tmpdir(), ...named.map(String)]);
  return [...folders].flatMap((folder) =>
    listNames(folder)
      .filter((name) => ownNames.test(name))
      .map((name) => join(folder, name)),
  );
}

function privateFolderPath(): string {
  return join(TEMPORARY, `signalbox-${process.getuid?.() ?? 0}`);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch {
    // It is there, or cannot be made by anybody of this user's.
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
