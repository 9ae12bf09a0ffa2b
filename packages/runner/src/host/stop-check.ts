import { execFile } from "node:child_process";

/** Git must run nothing that the repository brings along: no hooks, no file-system monitor. */
const inert = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

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

/** What Git says; undefined when there is no repository, no Git, or nothing to say. */
function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
  const options = { maxBuffer: 64 << 20, timeout: 30_000, env };
  return new Promise((resolve) => {
    execFile("git", [...inert, "-C", folder, ...args], options, (failure, stdout) => {
      resolve(failure ? undefined : stdout);
    });
  });
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
