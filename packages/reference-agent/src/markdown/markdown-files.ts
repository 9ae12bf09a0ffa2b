import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A folder with definitions, and its source. */
export interface DefinitionFolder {
  readonly folder: string;
  readonly source: "userSettings" | "projectSettings";
}

interface MarkdownFile {
  /** The name without the extension; folders are separated by `:`. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** Lists the Markdown files below a folder; none if the folder does not exist. */
export async function markdownFiles(folder: string, prefix = ""): Promise<MarkdownFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry): Promise<MarkdownFile[]> => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return markdownFiles(path, `${prefix}${entry.name}:`);
      if (!entry.name.endsWith(".md")) return [];
      const text = await readFile(path, "utf8").catch(() => "");
      return [{ name: prefix + entry.name.slice(0, -".md".length), path, text }];
    }),
  );
  return found.flat().toSorted((one, other) => one.name.localeCompare(other.name));
}
