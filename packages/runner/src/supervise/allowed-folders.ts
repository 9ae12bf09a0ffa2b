import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { OrderError } from "./order-error.ts";

/*
 * The folders below which a driver may start sessions and look around. They are real paths, as they
 * were when they were allowed, and are never resolved again: a link that is put in the place of one
 * later leads outside of it.
 */

/** For programs: the refusal of a folder that is outside. */
export const FOLDER_NOT_ALLOWED = "folder-not-allowed";

/** Worktrees are made in a folder beside their repository, which this ending names. */
export const WORKTREES_SUFFIX = ".worktrees";

/** Whether a real path is one of the allowed folders or below one. */
export function isFolderAllowed(real: string, allowed: readonly string[]): boolean {
  return allowed.some(
    (folder) => isBelow(real, folder) || isBelow(real, `${folder}${WORKTREES_SUFFIX}`),
  );
}

/** `/work-secrets` begins with `/work` and is not below it. */
function isBelow(real: string, folder: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * The real path of a folder that has to be below the allowed ones. Nothing is awaited, so that the run
 * which it is looked up for is there before the next order is read.
 */
export function resolveAllowedFolder(named: string, allowed: readonly string[]): string {
  const real = realPath(named);
  // Of a folder outside it is not even told whether it exists.
  if (real === undefined && isCreationAllowed(named, allowed)) {
    throw new OrderError("folder-unusable", `The folder ${named} does not exist.`);
  }
  if (real === undefined || !isFolderAllowed(real, allowed))
    throw createFolderNotAllowed(named, allowed);
  return real;
}

/** Something that may not exist yet: what is there of its path decides where it would be. */
export function isCreationAllowed(path: string, allowed: readonly string[]): boolean {
  if (!isAbsolute(path) || path.includes("\0")) return false;
  const missing: string[] = [];
  let there = path;
  for (let real = realPath(there); ; real = realPath(there)) {
    if (real !== undefined) return isFolderAllowed(join(real, ...missing), allowed);
    if (dirname(there) === there) return false;
    missing.unshift(basename(there));
    there = dirname(there);
  }
}

function realPath(named: string): string | undefined {
  if (!isAbsolute(named) || named.includes("\0")) return undefined;
  try {
    return realpathSync(named);
  } catch {
    return undefined;
  }
}

export function createFolderNotAllowed(folder: string, allowed: readonly string[]): OrderError {
  return new OrderError(FOLDER_NOT_ALLOWED, describeFolderNotAllowed(folder, allowed));
}

/** Says which folder was meant, which ones are allowed, and what to do. */
export function describeFolderNotAllowed(folder: string, allowed: readonly string[]): string {
  const shown = folder.replaceAll("\0", "␀");
  const where =
    allowed.length === 0
      ? "no folder is allowed on this machine yet"
      : `the allowed folders on this machine are ${allowed.join(", ")}`;
  return `A driver, such as the command line, cannot use the folder ${shown}: it is not below an allowed folder, and ${where}. Start the first session there from a device that approves, or add the folder on the page under Settings, Allowed folders.`;
}
