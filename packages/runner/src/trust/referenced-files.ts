import { isAbsolute, join } from "node:path";
import { sha256 } from "../sha256.ts";
import { readInside } from "./read-inside.ts";

const FILE_LIMIT = 4 << 20;
const MAX_WORDS = 5000;

/**
 * Hashes the files of the repository that a command names. A changed script is a different program, although the
 * command that runs it is the same.
 */
export function hashReferencedFiles(root: string, command: string): Record<string, string> {
  const named = command
    .replaceAll(/\$\{?CLAUDE_PROJECT_DIR\}?/g, root)
    .split(/[\s"'`;&|<>()=$]+/)
    .filter((word) => word !== "" && !word.startsWith("-") && word.length < 1000);
  const words = new Set(named);
  // Too much to check: returns a new value each time, so that it never equals a trusted one.
  if (words.size > MAX_WORDS) return { [`more than ${MAX_WORDS} words`]: crypto.randomUUID() };
  const files: Record<string, string> = {};
  for (const word of words) {
    const path = isAbsolute(word) ? word : join(root, word);
    const read = readInside(root, path, FILE_LIMIT);
    if (read.kind === "text") files[path] = sha256(read.bytes);
  }
  return files;
}
