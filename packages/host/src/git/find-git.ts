import { isExecutable } from "../system/is-executable.ts";
import { delimiter, isAbsolute, join } from "node:path";
import { systemFolders } from "../sandbox/find-bubblewrap.ts";

/** Git's program, and the folders for its `PATH`, in which it looks for other programs. */
export function findGit(): { path: string; folders: string } {
  const { PATH = "" } = process.env;
  // System folders come first: an agent can put a program of that name into the user's own folders.
  const folders = [...systemFolders, ...PATH.split(delimiter).filter(isAbsolute)];
  const path = folders.map((each) => join(each, "git")).find(isExecutable) ?? "git";
  return { path, folders: [...new Set(folders)].join(delimiter) };
}
