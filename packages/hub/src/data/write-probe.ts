import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

const refusals: ReadonlySet<string | undefined> = new Set(["EROFS", "EACCES", "EPERM"]);

/**
 * Why no file can be created in a folder, as an error code; undefined: one can. Checking permissions is not
 * enough: the kernel still calls a disk writable that it has closed after a fault.
 */
export function findWriteProblem(folder: string): string | undefined {
  const path = join(folder, `probe-${process.pid}`);
  try {
    closeSync(openSync(path, "w", 0o600)); // an earlier probe may have left the file
    rmSync(path);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Whether the problem is a read-only disk or folder rather than a full or failing one. */
export function isReadOnly(problem: string | undefined): boolean {
  return refusals.has(problem);
}
