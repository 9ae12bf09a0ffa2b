import { dlopen } from "bun:ffi";
import { closeSync, constants, openSync } from "node:fs";

const LOCK_EXCLUSIVE_NOW = 2 | 4; // LOCK_EX | LOCK_NB
const libraries = ["libc.so.6", "libSystem.B.dylib", "libc.so"];

export type OsFolderLock = { readonly release: () => void };

/**
 * An exclusive lock of the operating system (`flock`) on the folder itself. It ends with the process and
 * cannot be taken away by deleting files in the folder. "taken": another process has it. Undefined: this
 * system or file system has no such locks.
 */
export function lockFolderItself(folder: string): OsFolderLock | "taken" | undefined {
  const flock = loadFlock();
  if (!flock) return undefined;
  // Opened by Node's own call: it is closed in every program that this process starts.
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  if (flock(descriptor, LOCK_EXCLUSIVE_NOW) === 0) {
    return { release: () => closeSync(descriptor) };
  }
  const taken = isHeldElsewhere(flock, descriptor);
  closeSync(descriptor);
  return taken ? "taken" : undefined;
}

/** FFI does not give us `errno`: a file system without locks refuses to give one back, too. */
function isHeldElsewhere(flock: Flock, descriptor: number): boolean {
  const LOCK_UNLOCK = 8;
  return flock(descriptor, LOCK_UNLOCK) === 0;
}

type Flock = (descriptor: number, operation: number) => number;
let loaded: { readonly flock: Flock | undefined } | undefined;

function loadFlock(): Flock | undefined {
  loaded ??= { flock: findFlock() };
  return loaded.flock;
}

function findFlock(): Flock | undefined {
  for (const library of libraries) {
    try {
      return dlopen(library, { flock: { args: ["int", "int"], returns: "int" } }).symbols.flock;
    } catch {
      // It has another name here.
    }
  }
  return undefined;
}
