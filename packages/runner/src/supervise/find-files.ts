import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runGit } from "@signalbox/host/git";
import { isInside } from "@signalbox/host/system";
import { resolveFolder } from "./folders.ts";

const MAX_RESULTS = 50;
const MAX_FILES = 20_000;
const MAX_DEPTH = 12;
const skippedFolders = new Set([".git", "node_modules", ".venv", "__pycache__", "target", "dist"]);

/** The files below a folder whose path contains these letters, best matches first. */
export async function findFiles(named: string, query: string): Promise<string[]> {
  const folder = await resolveFolder(named);
  const files = await listFiles(folder);
  // A folder may have been replaced by a link while it was read.
  return filterAsync(rankFiles(files, query), (file) => isInside(folder, file));
}

/** The files below a folder, by their paths from there; in a repository those that Git does not ignore. */
export async function listFiles(folder: string): Promise<string[]> {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const { bytes, trouble } = await runGit(folder, list);
  return trouble === undefined ? bytes.toString().split("\0") : walk(folder);
}

async function filterAsync<T>(all: readonly T[], fits: (one: T) => Promise<boolean>): Promise<T[]> {
  const fit = await Promise.all(all.map(fits));
  return all.filter((_, index) => fit[index]);
}

export function rankFiles(files: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase();
  const ranked = files.flatMap((path) => {
    const rank = path === "" ? undefined : rankPath(path.toLowerCase(), wanted);
    return rank === undefined ? [] : { path, rank };
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length || compare(a.path, b.path))
    .slice(0, MAX_RESULTS)
    .map(({ path }) => path);
}

/** Ranks matches at the start of the name before matches in the name and in the rest of the path. */
function rankPath(path: string, wanted: string): number | undefined {
  const at = path.slice(path.lastIndexOf("/") + 1).indexOf(wanted);
  if (at === 0) return 0;
  if (at > 0) return 1;
  return path.includes(wanted) ? 2 : undefined;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** Lists files outside of a repository. Links are listed and never followed, so nothing outside is read. */
async function walk(folder: string): Promise<string[]> {
  const files: string[] = [];
  let level = [""];
  for (
    let depth = 0;
    depth < MAX_DEPTH && level.length > 0 && files.length < MAX_FILES;
    depth += 1
  ) {
    const below: string[] = [];
    for (const inside of level) {
      const entries = await readdir(join(folder, inside), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        const path = inside === "" ? entry.name : `${inside}/${entry.name}`;
        if (entry.isDirectory()) {
          if (!skippedFolders.has(entry.name)) below.push(path);
        } else {
          files.push(path);
        }
      }
      if (files.length + below.length >= MAX_FILES) break;
    }
    level = below;
  }
  return files.slice(0, MAX_FILES);
}
