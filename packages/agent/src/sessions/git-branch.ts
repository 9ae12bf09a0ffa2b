import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Reads the branch of a folder's repository from its files, because a process would cost more.
 * Without a branch or a repository it is `HEAD`, as in Claude Code's records.
 */
export function gitBranch(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    const head = read(join(at, ".git", "HEAD"));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? "HEAD";
    if (dirname(at) === at) return "HEAD";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
