import { git } from "../git.ts";

/** The changed and new files of the repository around `folder`; none outside repositories. */
export async function uncommittedChanges(folder: string): Promise<string[]> {
  const filters = await git(folder, [
    "config",
    "--name-only",
    "--get-regexp",
    "^filter\\..*\\.(clean|process)$",
  ]);
  const silenced = (filters ?? "")
    .split("\n")
    .flatMap((name) => (name === "" ? [] : ["-c", `${name}=`]));
  const status = ["status", "--porcelain=v1", "-z", "--untracked-files=normal"];
  return parseStatus((await git(folder, [...silenced, ...status])) ?? "");
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
