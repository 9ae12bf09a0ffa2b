import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Reads every file below a folder as text, except those that a program stores for itself. */
export function filesUnder(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path), readFileSync(path, "utf8")]),
  );
}
