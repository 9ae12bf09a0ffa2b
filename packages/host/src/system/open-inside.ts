import { constants } from "node:fs";
import { type FileHandle, lstat, open, readlink, realpath } from "node:fs/promises";
import { dirname, join, sep } from "node:path";

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;

/** A folder that was found to lie under a root, and stays the same whatever its name comes to mean. */
export interface FolderInside extends AsyncDisposable {
  /** Where it can be reached by its descriptor, and not by a name that others may change. */
  readonly path: string;
}

/**
 * Opens a folder of a root, which is a real path. Undefined: it is not there, it is a link, or a link
 * on the way leads elsewhere. It is looked at after it is open, so that a link that is put in its place
 * meanwhile comes too late. Where descriptors have no names (outside Linux), its name is looked at.
 */
export async function openInside(root: string, inside: string): Promise<FolderInside | undefined> {
  const named = join(root, inside);
  const folder = await open(named, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  if (!folder) return undefined;
  const path = await reached(folder, named);
  const real = await (path === named ? realpath(named) : readlink(path)).catch(() => "");
  if (real === root || real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    return { path, [Symbol.asyncDispose]: () => folder.close() };
  }
  await folder.close();
  return undefined;
}

async function reached(folder: FileHandle, named: string): Promise<string> {
  const path = `/proc/self/fd/${folder.fd}`;
  return (await lstat(path).catch(() => undefined)) ? path : named;
}

/** Whether there is something of this name under a root, and not only by way of a link to elsewhere. */
export async function isInside(root: string, file: string): Promise<boolean> {
  await using folder = await openInside(root, dirname(file));
  if (!folder) return false;
  const name = file.slice(file.lastIndexOf("/") + 1);
  return (await lstat(join(folder.path, name)).catch(() => undefined)) !== undefined;
}
