import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { decodeStrictly } from "@signalbox/host/git";
import { type FileReader, readInside } from "./read-inside.ts";

const POINTER_LIMIT = 10_000;

/** The Git directory of a checkout. */
export interface GitFolder {
  /** The Git directory of this checkout. */
  readonly own: string;
  /** The directory that all worktrees of the repository share; the same one without worktrees. */
  readonly common: string;
  /** The main checkout, if this one is a worktree. */
  readonly main?: string;
  /** Why it is unknown which Git directory Git would use. */
  readonly unreadable?: string;
}

/** The Git directories that Git may use in a folder: that of `.git`, and the folder itself if it looks like one. */
export function findGitFolders(folder: string): GitFolder[] {
  const places: GitFolder[] = [];
  const dotGit = join(folder, ".git");
  if (isFolder(dotGit)) places.push(readGitFolder(dotGit));
  else if (exists(dotGit)) places.push(followPointer(folder, dotGit));
  // A repository can contain the files of a Git directory, which Git uses when it is called inside of it.
  const has = (name: string) => exists(join(folder, name));
  if (has("HEAD") && (has("objects") || has("commondir"))) places.push(readGitFolder(folder));
  return places;
}

/** The root of the repository that contains a folder; the folder itself if there is none. */
export function findRepositoryRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (findGitFolders(place).length > 0) return place;
    if (dirname(place) === place) return folder;
  }
}

/** Reads a file `.git` with the path of the Git directory, which worktrees and submodules have. */
function followPointer(folder: string, dotGit: string): GitFolder {
  const unknown = { own: dotGit, common: dotGit };
  const read = readInside(folder, dotGit, POINTER_LIMIT);
  if (read.kind === "unreadable") return { ...unknown, unreadable: read.why };
  const text = readPointer(read);
  const [, named] = /^gitdir: ([^\r\n]+)[\r\n]*$/.exec(text) ?? [];
  if (named === undefined)
    return { ...unknown, unreadable: "it does not contain the path of a folder" };
  const own = resolveGitPath(folder, named);
  return own === undefined
    ? { ...unknown, unreadable: "its path has .. after a name" }
    : readGitFolder(own);
}

function readGitFolder(own: string): GitFolder {
  const pointer = join(own, "commondir");
  const shared = readInside(own, pointer, POINTER_LIMIT);
  if (shared.kind === "missing") return { own, common: own };
  const text = readPointer(shared);
  const [, path] = /^([^\r\n]+)[\r\n]*$/.exec(text) ?? [];
  if (path === undefined) return { own, common: own, unreadable: `${pointer} cannot be read` };
  const common = resolveGitPath(own, path);
  if (common === undefined)
    return { own, common: own, unreadable: `${pointer} has .. after a name` };
  return { own, common, ...(common.endsWith("/.git") && { main: dirname(common) }) };
}

/** Bytes that are not text would name another folder than the one that Git uses. */
function readPointer(read: FileReader): string {
  return (read.kind === "text" ? decodeStrictly(read.bytes) : undefined) ?? "";
}

/**
 * Resolves a path as Git does. Undefined if `..` follows a name: if the name is a link, the result depends on its
 * target, which the path does not show.
 */
export function resolveGitPath(folder: string, path: string): string | undefined {
  if (/\/\.\.(\/|$)/.test(path.replace(/^(\.\.\/)+/, ""))) return undefined;
  return resolve(resolveRealPath(folder), path);
}

export function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns false if the path cannot be inspected, for example because of circular links. */
export function isFolder(path: string | Buffer): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Returns true for files that cannot be inspected as well. */
function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}
