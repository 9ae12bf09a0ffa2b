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

/** What became of reading a file that a repository brings. */
export type ReadFile =
  | { readonly kind: "text"; readonly text: string; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  | { readonly kind: "unreadable"; readonly why: string };

/**
 * Reads a file of a repository. A link may lead elsewhere inside the root, and not out of it. The file is
 * looked at after it is open, so that a link that is put in its place meanwhile comes too late.
 */
export function readInside(root: string, path: string, limit: number): ReadFile {
  let descriptor: number;
  try {
    // Without waiting: a pipe of that name must not hold us up.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR")
      return isLink(path) ? danglingLink : { kind: "missing" };
    return { kind: "unreadable", why: `the system says ${code ?? String(failure)}` };
  }
  try {
    const { size, isFile } = readFacts(descriptor);
    if (!isFile) return { kind: "unreadable", why: "it is not a regular file" };
    if (!isInsideRoot(root, readRealPath(descriptor, path))) {
      return { kind: "unreadable", why: "it is a link to a place outside of the repository" };
    }
    if (size > limit)
      return { kind: "unreadable", why: `it has ${size} bytes; at most ${limit} are read` };
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

const danglingLink: ReadFile = { kind: "unreadable", why: "it is a link to what is not there" };

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
    return realpathSync(path); // outside Linux descriptors have no names
  }
}

export function isInsideRoot(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}
