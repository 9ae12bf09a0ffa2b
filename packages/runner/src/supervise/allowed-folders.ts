import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { OrderError } from "./order-error.ts";

/*
 * The folders below which a driver may start sessions and list files. They are stored as real paths and never
 * resolved again, so that a link that later replaces one of them does not extend what is allowed.
 */

/** The error code for a folder that is not allowed. */
export const FOLDER_NOT_ALLOWED = "folder-not-allowed";

/** The suffix of the folder beside a repository in which its worktrees are created. */
export const WORKTREES_SUFFIX = ".worktrees";

/** Whether a real path is an allowed folder or below one. */
export function isFolderAllowed(real: string, allowed: readonly string[]): boolean {
  return allowed.some(
    (folder) => isBelow(real, folder) || isBelow(real, `${folder}${WORKTREES_SUFFIX}`),
  );
}

/** Compares whole names: `/work-secrets` starts with `/work` but is not below it. */
function isBelow(real: string, folder: string): boolean {
  return real === folder || real.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/**
 * Returns the real path of a folder that has to be allowed. The function is synchronous, so that the run for
 * which it is called exists before the next order is read.
 */
export function resolveAllowedFolder(named: string, allowed: readonly string[]): string {
  const real = realPath(named);
  // For a folder outside, not even its existence is revealed.
  if (real === undefined && isCreationAllowed(named, allowed)) {
    throw new OrderError("folder-unusable", `The folder ${named} does not exist.`);
  }
  if (real === undefined || !isFolderAllowed(real, allowed))
    throw createFolderNotAllowed(named, allowed);
  return real;
}

/** Whether a path that may not exist yet would be allowed, judged by the part of it that exists. */
export function isCreationAllowed(path: string, allowed: readonly string[]): boolean {
  if (!isAbsolute(path) || path.includes("\0")) return false;
  const missing: string[] = [];
  let existing = path;
  for (let real = realPath(existing); ; real = realPath(existing)) {
    if (real !== undefined) return isFolderAllowed(join(real, ...missing), allowed);
    if (dirname(existing) === existing) return false;
    missing.unshift(basename(existing));
    existing = dirname(existing);
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

/** Says which folder was refused, which ones are allowed and what to do. */
export function describeFolderNotAllowed(folder: string, allowed: readonly string[]): string {
  const shown = folder.replaceAll("\0", "␀");
  const where =
    allowed.length === 0
      ? "no folder is allowed on this machine yet"
      : `the allowed folders on this machine are ${allowed.join(", ")}`;
  return `The folder ${shown} is not below an allowed folder, so a driver, such as the command line, cannot use it: ${where}. Start the first session there on an approver's device, or add the folder on the page under Settings, Trust.`;
}
