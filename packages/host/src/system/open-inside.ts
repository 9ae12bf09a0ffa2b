import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** A folder that was checked to be inside a root, and stays the same if its name is replaced. */
export interface FolderInside extends AsyncDisposable {
  /** A path to it by its descriptor, which others cannot redirect. */
  readonly path: string;
  /** Its real path when it was opened. */
  readonly realPath: string;
}

/**
 * Opens a folder of a root, which is a real path. Returns undefined if it does not exist, is a
 * link, or a link in its path leads elsewhere. It is checked after it is open, so that replacing it
 * by a link meanwhile has no effect. Where descriptors have no paths (outside Linux), its name is
 * checked.
 */
export async function openInside(root: string, inside: string): Promise<FolderInside | undefined> {
  const named = join(root, inside);
  const folder = await open(named, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  if (!folder) return undefined;
  const path = await resolveOpenedPath(folder, named);
  const real = await (path === named ? realpath(named) : readlink(path)).catch(() => "");
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    return { path, realPath: real, [Symbol.asyncDispose]: () => folder.close() };
  }
  await folder.close();
  return undefined;
}

async function resolveOpenedPath(folder: FileHandle, named: string): Promise<string> {
  const path = `/proc/self/fd/${folder.fd}`;
  return (await lstat(path).catch(() => undefined)) ? path : named;
}

/** Whether something of this name exists inside a root, not only through a link to elsewhere. */
export async function isInside(root: string, file: string): Promise<boolean> {
  await using folder = await openInside(root, dirname(file));
  if (!folder) return false;
  const name = file.slice(file.lastIndexOf("/") + 1);
  return (await lstat(join(folder.path, name)).catch(() => undefined)) !== undefined;
}
