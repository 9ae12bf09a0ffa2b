import { constants } from "node:fs";
import { access, chmod, chown, lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { realPath } from "./paths.ts";

/**
 * Replaces a file atomically: readers, and a crash, see either the old or the new file, and hard
 * links to the old one keep its contents. Links are followed; mode and owner are kept.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const target = realPath(path);
  await mkdir(dirname(target), { recursive: true });
  const old = await lstat(target).catch(() => undefined);
  // Devices and pipes are written to directly.
  if (old && !old.isFile()) return writeFile(target, bytes);
  if (old) await access(target, constants.W_OK); // A write-protected file is not replaced.
  const made = `${target}.tmp.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await writeThrough(made, bytes);
    if (old) {
      // Changing the owner of other users' files needs a privilege.
      await chown(made, old.uid, old.gid).catch(() => {});
      await chmod(made, old.mode & 0o7777);
    }
    await rename(made, target);
  } catch (cause) {
    // The temporary file may not exist, for example because its name is too long.
    await rm(made, { force: true }).catch(() => {});
    if (!inFolderAlone.has((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
    await writeFile(target, bytes);
  }
}

/**
 * Errors that prevent creating a second file in the folder, but not writing to the first one. A
 * full disk prevents both.
 */
const inFolderAlone = new Set(["EACCES", "EPERM", "EBUSY", "EXDEV", "ENAMETOOLONG"]);

/**
 * Writes a file and waits until the disk has it, because a rename must not make an empty file
 * visible.
 */
async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
