import { existsSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { Refused } from "./refused.ts";

const SHOWN = 2000;

export interface FolderContents {
  readonly path: string;
  readonly parent: string | null;
  readonly folders: readonly { readonly name: string; readonly repository: boolean }[];
}

/** The folders in a folder, for a person to choose from; the home folder if none is named. */
export async function listFolder(named: string | undefined): Promise<FolderContents> {
  const asked = named ?? homedir();
  const path = await realFolder(asked);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => {
    throw new Refused("folder-unusable", `The folder ${asked} may not be read.`);
  });
  const isFolder = async (entry: (typeof entries)[number]) => {
    if (entry.isDirectory()) return true;
    if (!entry.isSymbolicLink()) return false;
    return (await stat(join(path, entry.name)).catch(() => undefined))?.isDirectory() ?? false;
  };
  const are = await Promise.all(entries.map(isFolder));
  const names = entries.filter((_, index) => are[index]).map(({ name }) => name);
  const folders = names
    .toSorted((a, b) => Number(isHidden(a)) - Number(isHidden(b)) || a.localeCompare(b))
    .slice(0, SHOWN)
    .map((name) => ({ name, repository: existsSync(join(path, name, ".git")) }));
  const parent = dirname(path);
  return { path, parent: parent === path ? null : parent, folders };
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

/** The folder as it really is, without links. */
export async function realFolder(named: string): Promise<string> {
  const refused = (why: string) => new Refused("folder-unusable", `The folder ${named} ${why}.`);
  if (!isAbsolute(named) || named.includes("\0")) throw refused("is not named from the root on");
  const path = await realpath(named).catch(() => {
    throw refused("does not exist");
  });
  const is = await stat(path).catch(() => undefined);
  if (!is?.isDirectory()) throw refused("is not a folder");
  return path;
}
