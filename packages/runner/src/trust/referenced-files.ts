import { isAbsolute, join } from "node:path";
import { sha256 } from "./finding.ts";
import { readInside } from "./read-inside.ts";

const FILE_LIMIT = 4 << 20;
const MOST_WORDS = 5000;

/**
 * The files of the repository that a command names, each with the hash of its content: a script that is
 * changed is another program, although the command that calls it is the same.
 */
export function hashReferencedFiles(root: string, command: string): Record<string, string> {
  const named = command
    .replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, root)
    .split(/[\s"'`;&|<>()=$]+/)
    .filter((word) => word !== "" && !word.startsWith("-") && word.length < 1000);
  const words = new Set(named);
  // Too much to look at: another program each time, so that it is never taken for one that was trusted.
  if (words.size > MOST_WORDS) return { [`more than ${MOST_WORDS} words`]: crypto.randomUUID() };
  const files: Record<string, string> = {};
  for (const word of words) {
    const path = isAbsolute(word) ? word : join(root, word);
    const read = readInside(root, path, FILE_LIMIT);
    if (read.kind === "text") files[path] = sha256(read.bytes);
  }
  return files;
}
