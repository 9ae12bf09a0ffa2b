import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** Folders, or a function that lists them again at each start. */
export type FolderList = readonly string[] | (() => readonly string[]);

export function resolveFolders(list: FolderList): readonly string[] {
  return typeof list === "function" ? list() : list;
}

/** Whether a path is a folder or inside of it. Both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Returns the real path in a list, which is empty if nothing exists there. */
export function resolveIfExists(path: string): string[] {
  try {
    lstatSync(path);
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** Returns the real path, even if its last part does not exist yet. */
export function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(resolveRealPath(above), path.slice(above.length));
  }
}
