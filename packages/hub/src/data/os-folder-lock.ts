import { dlopen } from "bun:ffi";
import { closeSync, constants, openSync } from "node:fs";

const LOCK_EXCLUSIVE_NOW = 2 | 4; // LOCK_EX | LOCK_NB
const libraries = ["libc.so.6", "libSystem.B.dylib", "libc.so"];

type OsFolderLock = { readonly release: () => void };

/**
 * Locks the folder itself with an exclusive lock of the operating system (`flock`). It ends with the process
 * and cannot be removed by deleting files. "taken": another process has it. Undefined: this system or file
 * system has no such locks.
 */
export function lockFolderItself(folder: string): OsFolderLock | "taken" | undefined {
  const flock = loadFlock();
  if (!flock) return undefined;
  // This uses Node's own call, which closes the descriptor in every program that this process starts.
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  if (flock(descriptor, LOCK_EXCLUSIVE_NOW) === 0) {
    return { release: () => closeSync(descriptor) };
  }
  const taken = isHeldElsewhere(flock, descriptor);
  closeSync(descriptor);
  return taken ? "taken" : undefined;
}

/**
 * Whether another process has the lock. FFI does not return `errno`, so this tries to unlock: that fails,
 * too, where there are no locks.
 */
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
      // The library has another name on this system.
    }
  }
  return undefined;
}
