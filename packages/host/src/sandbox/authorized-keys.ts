import { existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Which servers let a person in by the keys that these files name. */
const servers = ["sshd", "dropbear", "tinysshd"].flatMap((name) => [
  `/usr/sbin/${name}`,
  `/usr/bin/${name}`,
  `/usr/local/sbin/${name}`,
  `/run/current-system/sw/bin/${name}`,
]);
const fileNames = ["authorized_keys", "authorized_keys2"];

/**
 * The files that name who may log in by SSH: an agent that added a key of its own could log in and would run
 * outside of the isolation. Only what exists can be held, so that where an SSH server is installed a missing
 * file is made, empty, and an agent cannot make it. A link cannot be held: then its folder is read-only, and
 * so is the file that it leads to.
 */
export function authorizedKeys(
  home: string = homedir(),
  isInstalled: (file: string) => boolean = existsSync,
): string[] {
  const folder = join(home, ".ssh");
  if (existsSync(home) && servers.some(isInstalled)) makeFiles(folder);
  const files = fileNames.map((name) => join(folder, name)).filter((file) => isThere(file));
  return [...new Set(files.flatMap(pathsToHold))];
}

function pathsToHold(file: string): string[] {
  const isLink = lstatSync(file).isSymbolicLink();
  return [
    ...(isLink ? [realpathSync(dirname(file))] : []),
    ...(existsSync(file) ? [realpathSync(file)] : []),
  ];
}

function makeFiles(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return; // the home folder cannot be written, by an agent neither
  }
  for (const name of fileNames) {
    try {
      writeFileSync(join(folder, name), "", { mode: 0o600, flag: "wx" });
    } catch {
      // It is there, or cannot be made by anybody of this user's.
    }
  }
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // `.ssh` is no folder: a server finds no keys there either
  }
}
