import { runGit, turnOffPrograms } from "../git/index.ts";

/**
 * Lists the changed and new files of the repository around `folder`. Returns none outside of
 * repositories, and none where Git cannot be prevented from running a filter, because the list is
 * not essential.
 */
export async function uncommittedChanges(folder: string): Promise<string[]> {
  const programsOff = await turnOffPrograms(folder, true);
  if (programsOff === undefined) return [];
  const options = ["--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all"];
  const { bytes, trouble } = await runGit(folder, ["status", ...options], programsOff);
  return trouble === undefined ? parseStatus(bytes.toString()) : []; // the names are only displayed
}

/**
 * Parses entries `XY path` that end in NUL; a rename or copy is followed by a separate entry with
 * the old path.
 */
export function parseStatus(stdout: string): string[] {
  const entries = stdout.split("\0");
  const files: string[] = [];
  for (let i = 0; i < entries.length; i++) {
    const entry = entries[i] ?? "";
    if (entry.length < 4) continue;
    files.push(entry.slice(3));
    if (/[RC]/.test(entry.slice(0, 2))) i++;
  }
  return files;
}
