import { execFile } from "node:child_process";

/** Git must run nothing that the repository brings along: no hooks, no file-system monitor. */
const inert = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** The changed and new files of the repository around `folder`; none outside repositories. */
export function uncommittedChanges(folder: string): Promise<string[]> {
  const args = [
    ...inert,
    "-C",
    folder,
    "status",
    "--porcelain=v1",
    "-z",
    "--untracked-files=normal",
  ];
  const options = { maxBuffer: 64 << 20, timeout: 30_000, env: gitEnvironment() };
  return new Promise((resolve) => {
    execFile("git", args, options, (failure, stdout) => {
      resolve(failure ? [] : parseStatus(stdout)); // no repository, or no Git: nothing to hold for
    });
  });
}

function gitEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return { PATH, HOME, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" };
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
