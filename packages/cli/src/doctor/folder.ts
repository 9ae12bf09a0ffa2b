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
const MOST_NAMED = 5;

/** The data folder: ours, no link, and nothing in it that others may read. */
export function folderChecks(folder: string): Check[] {
  const what = "data folder";
  const stats = statsOf(folder);
  const bad = stats ? flawOf(folder, stats) : whyNotMade(folder);
  if (bad !== undefined) {
    const remedy = "Name another folder with --data, or move this one.";
    return [{ what, state: "problem", detail: `${folder} ${bad}`, remedy }];
  }
  if (!stats) return [{ what, state: "ok", detail: `${folder} will be made at the first start` }];
  const open = openFiles(folder);
  if (open.length === 0) {
    return [{ what, state: "ok", detail: `${folder}, for your eyes alone` }];
  }
  const named = open.slice(0, MOST_NAMED).join(", ");
  const more = open.length > MOST_NAMED ? ` and ${open.length - MOST_NAMED} more` : "";
  const detail = `others may read or change ${named}${more}`;
  const remedy = "The next start of the hub mends this.";
  return [{ what, state: "warning", detail, remedy, facts: { open } }];
}

function flawOf(folder: string, stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return "is a link";
  if (!stats.isDirectory()) return "is not a folder";
  if (stats.uid !== process.getuid?.()) return "belongs to another user";
  return isWritable(folder) ? undefined : "may not be written to";
}

function whyNotMade(folder: string): string | undefined {
  const above = existing(folder);
  if (!statSync(above).isDirectory()) return `cannot be made: ${above} is not a folder`;
  return isWritable(above) ? undefined : `cannot be made: ${above} may not be written to`;
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What we may not look at is not there for us. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function openFiles(path: string): string[] {
  const stats = statsOf(path);
  if (!stats || stats.isSymbolicLink()) return [];
  const own = (stats.mode & 0o077) === 0 ? [] : [path];
  if (!stats.isDirectory()) return own;
  return [...own, ...readdirSync(path).flatMap((name) => openFiles(join(path, name)))];
}

export function diskCheck(folder: string): Check {
  const what = "free disk";
  const { bavail, bsize } = statfsSync(existing(folder));
  const free = bavail * bsize;
  const detail = `${(free / GIB).toFixed(1)} GiB where the data folder is`;
  const facts = { bytes: free };
  if (free >= GIB) return { what, state: "ok", detail, facts };
  const remedy = "When the disk is full, the hub stops agents from going on until there is room.";
  return { what, state: free < GIB / 10 ? "problem" : "warning", detail, remedy, facts };
}

function existing(path: string): string {
  return statsOf(path) || dirname(path) === path ? path : existing(dirname(path));
}
