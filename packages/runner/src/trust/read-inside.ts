import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
} from "node:fs";
import { sep } from "node:path";

/** The result of reading a file of a repository. */
export type FileReader =
  | { readonly kind: "text"; readonly text: string; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * Reads a file of a repository. Links may lead to other places inside the root, but not outside. The path is
 * checked after the file is open, so that replacing it by a link has no effect.
 */
export function readInside(root: string, path: string, limit: number): FileReader {
  let descriptor: number;
  try {
    // Does not block, in case the file is a pipe.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      return isLink(path) ? danglingLink : { kind: "missing" };
    return { kind: "unreadable", why: `the system reported ${code ?? String(failure)}` };
  }
  try {
    const { size, isFile } = readFacts(descriptor);
    if (!isFile) return { kind: "unreadable", why: "it is not a regular file" };
    const real = readRealPath(descriptor, path);
    // The system reports other bytes as text in which these are replaced, which may name another place.
    if (real.includes("\uFFFD")) return { kind: "unreadable", why: "its path is not valid UTF-8" };
    if (!isInsideRoot(root, real)) {
      return { kind: "unreadable", why: "it is a link that leads out of the repository" };
    }
    if (size > limit)
      return { kind: "unreadable", why: `it has ${size} bytes; the limit is ${limit}` };
    const bytes = new Uint8Array(size);
    let length = 0;
    while (length < size) {
      const read = readSync(descriptor, bytes, length, size - length, length);
      if (read === 0) break;
      length += read;
    }
    const whole = bytes.subarray(0, length);
    return { kind: "text", text: new TextDecoder().decode(whole), bytes: whole };
  } catch (failure) {
    return { kind: "unreadable", why: String(failure) };
  } finally {
    closeSync(descriptor);
  }
}

const danglingLink: FileReader = {
  kind: "unreadable",
  why: "it is a link to a file that does not exist",
};

function isLink(path: string): boolean {
  try {
    readlinkSync(path);
    return true;
  } catch {
    return false;
  }
}

function readFacts(descriptor: number): { size: number; isFile: boolean } {
  const facts = fstatSync(descriptor);
  return { size: facts.size, isFile: facts.isFile() };
}

function readRealPath(descriptor: number, path: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return realpathSync(path); // descriptors have names only on Linux
  }
}

export function isInsideRoot(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
