import { lstatSync, realpathSync } from "node:fs";
import { dirname, join, sep } from "node:path";

/** Folders, or what tells them anew at each start. */
export type FolderList = readonly string[] | (() => readonly string[]);

export function resolveFolders(list: FolderList): readonly string[] {
  return typeof list === "function" ? list() : list;
}

/** Whether a path is a folder or lies inside of it. Both are without links. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The path without links; none where nothing is there. */
export function existing(path: string): string[] {
  try {
    lstatSync(path);
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

/** The path without links, also where its last part does not exist yet. */
export function resolveRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(resolveRealPath(above), path.slice(above.length));
  }
}
