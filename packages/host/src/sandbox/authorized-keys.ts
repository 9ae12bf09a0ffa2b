import { existsSync, lstatSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** SSH servers that accept the keys in these files. */
const servers = ["sshd", "dropbear", "tinysshd"].flatMap((name) => [
  `/usr/sbin/${name}`,
  `/usr/bin/${name}`,
  `/usr/local/sbin/${name}`,
  `/run/current-system/sw/bin/${name}`,
]);
const fileNames = ["authorized_keys", "authorized_keys2"];

/**
 * Lists the files of keys that may log in by SSH: an agent that added its own key could log in and
 * run outside of the isolation. Only existing files can be protected, so where an SSH server is
 * installed, a missing file is created empty. A link cannot be protected: then its folder and its
 * target are read-only.
 */
export function findAuthorizedKeys(
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
    return; // the home folder cannot be written, not by an agent either
  }
  for (const name of fileNames) {
    try {
      writeFileSync(join(folder, name), "", { mode: 0o600, flag: "wx" });
    } catch {
      // The file exists, or this user cannot create it.
    }
  }
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // `.ssh` is not a folder, so servers find no keys there either
  }
}
