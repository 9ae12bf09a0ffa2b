import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readInside } from "./read-inside.ts";

const POINTER_LIMIT = 10_000;

/** The Git directory of a checkout. */
export interface GitFolder {
  /** The checkout's own Git directory. */
  readonly own: string;
  /** What it shares with the other worktrees of the repository; the same where there are none. */
  readonly common: string;
  /** The main checkout, where this one is a worktree of another. */
  readonly main?: string;
  /** Set where we cannot tell what Git would take for the Git directory. */
  readonly unreadable?: string;
}

/** The Git directories that Git may use in a folder: that of `.git`, and the folder itself where it looks like one. */
export function findGitFolders(folder: string): GitFolder[] {
  const places: GitFolder[] = [];
  const dotGit = join(folder, ".git");
  if (isFolder(dotGit)) places.push(readGitFolder(dotGit));
  else if (exists(dotGit)) places.push(followPointer(folder, dotGit));
  // Somebody can commit the files of a Git directory; Git uses them where it is called inside of it.
  const has = (name: string) => exists(join(folder, name));
  if (has("HEAD") && (has("objects") || has("commondir"))) places.push(readGitFolder(folder));
  return places;
}

/** The root of the repository that a folder belongs to; the folder itself where there is none. */
export function findRepositoryRoot(folder: string): string {
  for (let place = folder; ; place = dirname(place)) {
    if (findGitFolders(place).length > 0) return place;
    if (dirname(place) === place) return folder;
  }
}

/** A file `.git` that names the Git directory, as worktrees and submodules have it. */
function followPointer(folder: string, dotGit: string): GitFolder {
  const unknown = { own: dotGit, common: dotGit };
  const read = readInside(folder, dotGit, POINTER_LIMIT);
  if (read.kind === "unreadable") return { ...unknown, unreadable: read.why };
  const text = read.kind === "text" ? read.text : "";
  const [, named] = /^gitdir: ([^\r\n]+)[\r\n]*$/.exec(text) ?? [];
  if (named === undefined) return { ...unknown, unreadable: "it does not name a folder" };
  const own = resolveGitPath(folder, named);
  return own === undefined
    ? { ...unknown, unreadable: "it has .. after a name" }
    : readGitFolder(own);
}

function readGitFolder(own: string): GitFolder {
  const pointer = join(own, "commondir");
  const shared = readInside(own, pointer, POINTER_LIMIT);
  if (shared.kind === "missing") return { own, common: own };
  const text = shared.kind === "text" ? shared.text : "";
  const [, path] = /^([^\r\n]+)[\r\n]*$/.exec(text) ?? [];
  if (path === undefined) return { own, common: own, unreadable: `${pointer} cannot be read` };
  const common = resolveGitPath(own, path);
  if (common === undefined)
    return { own, common: own, unreadable: `${pointer} has .. after a name` };
  return { own, common, ...(common.endsWith("/.git") && { main: dirname(common) }) };
}

/**
 * The path that Git gets to. Undefined where `..` follows a name: if that name is a link, the system goes up
 * from where the link leads, which the text does not say.
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

/** False where the system does not say, as of links that lead in a circle. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Whatever may be there counts, also what cannot be looked at. */
function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}
