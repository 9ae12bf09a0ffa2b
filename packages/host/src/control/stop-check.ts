import { git, settingNames } from "../git/git.ts";

/** The changed and new files of the repository around `folder`; none outside repositories. */
export async function uncommittedChanges(folder: string): Promise<string[]> {
  // Filters are programs: to see what has changed, none is needed.
  const filters = await settingNames(
    folder,
    "^filter\\..*\\.(clean|smudge|process|required)$",
    true,
  );
  const silenced = Object.fromEntries(filters.map((name) => [name, ""]));
  const required = filters.filter((name) => name.endsWith(".required"));
  for (const name of required) silenced[name] = "false";
  const options = ["--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=all"];
  return parseStatus((await git(folder, ["status", ...options], silenced)) ?? "");
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
