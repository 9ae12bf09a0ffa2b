import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The branch that a folder's repository is on, read off its files: a process would cost more. */
export function gitBranch(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const head = read(join(at, ".git", "HEAD"));
    if (head !== undefined) return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? "HEAD";
    if (dirname(at) === at) return undefined;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
