import { closeSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";

const refusals: ReadonlySet<string | undefined> = new Set(["EROFS", "EACCES", "EPERM"]);

/**
 * Why a file cannot be made in a folder, as the system calls it; undefined: it can. To ask for the right
 * is not enough: of a disk that it has closed after a fault the kernel still says that it may be written.
 */
export function findWriteProblem(folder: string): string | undefined {
  const path = join(folder, `probe-${process.pid}`);
  try {
    closeSync(openSync(path, "w", 0o600)); // one of before may have been left
    rmSync(path);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}

/** Whether that is a disk or folder for reading alone, and not one that is full or fails. */
export function isReadOnly(problem: string | undefined): boolean {
  return refusals.has(problem);
}
