import { execFile } from "node:child_process";

/** Git must run nothing that the repository brings along: no hooks, no monitor, no `ext::` transport. */
const inert = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "protocol.ext.allow=never",
].flatMap((setting) => ["-c", setting]);

/** What Git says; undefined when there is no repository, no Git, or nothing to say. */
export async function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { said, trouble } = await askGit(folder, args);
  return trouble === undefined ? said : undefined;
}

/** What Git says, and what it says went wrong. */
export function askGit(
  folder: string,
  args: readonly string[],
): Promise<{ said: string; trouble?: string }> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
  const options = { maxBuffer: 64 << 20, timeout: 30_000, env };
  return new Promise((resolve) => {
    execFile("git", [...inert, "-C", folder, ...args], options, (failure, stdout, stderr) => {
      resolve({ said: stdout, ...(failure && { trouble: stderr.trim() || failure.message }) });
    });
  });
}
