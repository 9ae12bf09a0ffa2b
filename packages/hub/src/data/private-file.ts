import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync } from "node:fs";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { dirname } from "node:path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** Creates a file that only its owner can read. Throws EEXIST if a file or link of that name exists. */
export function createPrivateFile(path: string, content: string): void {
  const file = openSync(path, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/**
 * Creates or replaces a file that only its owner can read. The replacement is atomic: readers see either all
 * of the old content or all of the new.
 */
export function replacePrivateFile(path: string, content: string): void {
  const draft = `${path}.${randomUUID()}`;
  try {
    createPrivateFile(draft, content);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  const folder = openSync(dirname(path), O_RDONLY);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/**
 * Reads a file that only its owner can read; undefined: it does not exist. Refuses links and files of other
 * users.
 */
export function readPrivateFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, O_RDONLY | O_NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  try {
    const { mode, uid } = fstatSync(file);
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) {
      throw new Error(
        `${path} is not used, because other users can read it or have created it. Remove it.`,
      );
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}
