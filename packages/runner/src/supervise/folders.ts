import { existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { isFolderAllowed, isCreationAllowed, resolveAllowedFolder } from "./allowed-folders.ts";
import { OrderError } from "./order-error.ts";

const MAX_FOLDERS = 2000;

interface ListedFolder {
  readonly path: string;
  readonly parent: string | null;
  readonly folders: readonly { readonly name: string; readonly repository: boolean }[];
}

/**
 * Lists the folders in a folder, for a person to choose from; the home folder by default. With `allowed`, only
 * folders in these are listed, and the first of them is the default if the home folder is outside.
 */
export async function listFolder(
  named: string | undefined,
  allowed?: readonly string[],
): Promise<ListedFolder> {
  const asked = named ?? getDefaultFolder(allowed);
  const path = allowed ? resolveAllowedFolder(asked, allowed) : await resolveFolder(asked);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => {
    throw new OrderError("folder-unusable", `The folder ${asked} cannot be read.`);
  });
  const isFolder = async (entry: (typeof entries)[number]) => {
    if (entry.isDirectory()) return true;
    if (!entry.isSymbolicLink()) return false;
    const named = join(path, entry.name);
    if (allowed && !isCreationAllowed(named, allowed)) return false; // the link leads outside
    return (await stat(named).catch(() => undefined))?.isDirectory() ?? false;
  };
  const checks = await Promise.all(entries.map(isFolder));
  const names = entries.filter((_, index) => checks[index]).map(({ name }) => name);
  const folders = names
    .toSorted((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || a.localeCompare(b))
    .slice(0, MAX_FOLDERS)
    .map((name) => ({ name, repository: existsSync(join(path, name, ".git")) }));
  const parent = dirname(path);
  const isTop = parent === path || (allowed !== undefined && !isFolderAllowed(parent, allowed));
  return { path, parent: isTop ? null : parent, folders };
}

function getDefaultFolder(allowed: readonly string[] | undefined): string {
  const home = homedir();
  if (!allowed || isCreationAllowed(home, allowed)) return home;
  return allowed[0] ?? home;
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** Returns the real path of a folder. */
export async function resolveFolder(named: string): Promise<string> {
  const refused = (why: string) => new OrderError("folder-unusable", `The folder ${named} ${why}.`);
  if (!isAbsolute(named) || named.includes("\0")) throw refused("is not an absolute path");
  const path = await realpath(named).catch(() => {
    throw refused("does not exist");
  });
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isDirectory()) throw refused("is not a folder");
  return path;
}
