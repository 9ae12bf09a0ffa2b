import { constants } from "node:fs";
import { access, chmod, chown, lstat, mkdir, open, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { realPath } from "./paths.ts";

/**
 * Puts a file in another's place in one step: whoever reads, and a crash, meets the old file or the
 * new one, and other names of the old one (hard links) keep what they had. Links are followed; mode
 * and owner stay.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const target = realPath(path);
  await mkdir(dirname(target), { recursive: true });
  const old = await lstat(target).catch(() => undefined);
  if (old && !old.isFile()) return writeFile(target, bytes); // a device or a pipe is written to
  if (old) await access(target, constants.W_OK); // a file that is protected stays so
  const made = `${target}.tmp.${process.pid}.${crypto.randomUUID().slice(0, 8)}`;
  try {
    await writeThrough(made, bytes);
    if (old) {
      await chown(made, old.uid, old.gid).catch(() => {}); // others' files need a privilege
      await chmod(made, old.mode & 0o7777);
    }
    await rename(made, target);
  } catch (cause) {
    await rm(made, { force: true }).catch(() => {}); // its name may be too long to be named
    if (!inFolderAlone.has((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
    await writeFile(target, bytes);
  }
}

/** What hinders a second file beside the first, and not writing to the first. A full disk does both. */
const inFolderAlone = new Set(["EACCES", "EPERM", "EBUSY", "EXDEV", "ENAMETOOLONG"]);

/** Until the disk has it: a name must not come to stand for a file that is still empty. */
async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
