import {
  accessSync,
  constants,
  lstatSync,
  readdirSync,
  statSync,
  statfsSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Check } from "./check.ts";

const GIB = 1024 ** 3;
const MAX_LISTED = 5;

/** Checks that the data folder belongs to this user, is no link, and contains nothing that others can read. */
export function checkDataFolder(folder: string): Check[] {
  const what = "data folder";
  const stats = readStats(folder);
  const bad = stats ? describeProblem(folder, stats) : describeCreateProblem(folder);
  if (bad !== undefined) {
    const remedy = "Choose another folder with --data, or move this one.";
    return [{ what, state: "problem", detail: `${folder} ${bad}`, remedy }];
  }
  if (!stats)
    return [{ what, state: "ok", detail: `${folder} (will be created at the first start)` }];
  const open = findExposedFiles(folder);
  if (open.length === 0) {
    return [{ what, state: "ok", detail: `${folder} (only you can read it)` }];
  }
  const named = open.slice(0, MAX_LISTED).join(", ");
  const more = open.length > MAX_LISTED ? ` and ${open.length - MAX_LISTED} more` : "";
  const detail = `other users can read or change ${named}${more}`;
  const remedy = "Restart the hub to fix the permissions.";
  return [{ what, state: "warning", detail, remedy, facts: { open } }];
}

function describeProblem(folder: string, stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a symbolic link";
  if (!stats.isDirectory()) return "is not a folder";
  if (stats.uid !== process.getuid?.()) return "belongs to another user";
  return isWritable(folder) ? undefined : "is not writable";
}

function describeCreateProblem(folder: string): string | undefined {
  const above = findExistingFolder(folder);
  if (!statSync(above).isDirectory()) return `cannot be created: ${above} is not a folder`;
  return isWritable(above) ? undefined : `cannot be created: ${above} is not writable`;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Undefined if the file does not exist or may not be read. */
function readStats(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function findExposedFiles(path: string): string[] {
  const stats = readStats(path);
  if (!stats || stats.isSymbolicLink()) return [];
  const own = (stats.mode & 0o077) === 0 ? [] : [path];
  if (!stats.isDirectory()) return own;
  return [...own, ...readdirSync(path).flatMap((name) => findExposedFiles(join(path, name)))];
}

export function checkDisk(folder: string): Check {
  const what = "free disk";
  const { bavail, bsize } = statfsSync(findExistingFolder(folder));
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB on the disk of the data folder`;
  const facts = { bytes: free };
  if (free >= GIB) return { what, state: "ok", detail, facts };
  const remedy =
    "Free some space. When the disk is full, the hub pauses agents until there is space.";
  return { what, state: free < GIB / 10 ? "problem" : "warning", detail, remedy, facts };
}

function findExistingFolder(path: string): string {
  return readStats(path) || dirname(path) === path ? path : findExistingFolder(dirname(path));
}
