import { runGit, turnOffPrograms } from "../git/index.ts";

/**
 * The changed and new files of the repository around `folder`; none outside repositories, and none where Git
 * cannot be kept from running a filter: to see what has changed, none is needed.
 */
export async function uncommittedChanges(folder: string): Promise<string[]> {
  const programsOff = await turnOffPrograms(folder, true);
  if (programsOff === undefined) return [];
  const options = ["--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all"];
  const { bytes, trouble } = await runGit(folder, ["status", ...options], programsOff);
  return trouble === undefined ? parseStatus(bytes.toString()) : []; // the names are only shown
}

/** `XY path`, NUL-ended; a rename or copy has its old path as an entry of its own after it. */
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
