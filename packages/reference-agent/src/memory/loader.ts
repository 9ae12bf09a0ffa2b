import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { globToRegExp } from "../files/glob.ts";
import { isAllowed, isInside, realPath } from "../files/paths.ts";
import { getImports } from "./imports.ts";
import { type MemoryFile, readMemoryFile } from "./memory-file.ts";

const MAX_DEPTH = 5;

/** Loads memory files with their imports, each file once. */
export class MemoryLoader {
  readonly #folder: string;
  readonly #home: string;
  readonly #excluded: readonly RegExp[];
  readonly #mayLeave: boolean;
  readonly #seen: Set<string>;

  constructor(made: {
    /** The files of a project may only import from this folder. */
    folder: string;
    home: string;
    /** Path patterns of files to exclude. */
    excludes: readonly string[];
    /** Whether a person allowed imports from anywhere. */
    mayLeave: boolean;
    /** Paths of files that were loaded before. */
    known?: readonly string[];
  }) {
    this.#folder = made.folder;
    this.#home = made.home;
    this.#excluded = made.excludes.map((one) => globToRegExp(one.replace(/^\//, "")));
    this.#mayLeave = made.mayLeave;
    this.#seen = new Set(made.known?.map((path) => realPath(path)));
  }

  async load(
    path: string,
    type: MemoryFile["type"],
    counts: (file: MemoryFile) => boolean = () => true,
    depth = 0,
  ): Promise<MemoryFile[]> {
    if (depth >= MAX_DEPTH || this.#isExcluded(path, type)) return [];
    const file = await readMemoryFile(path, type);
    if (!file || !counts(file)) return [];
    const real = realPath(path);
    if (this.#seen.has(real)) return [];
    this.#seen.add(real);
    const loaded = [file];
    for (const one of getImports(file.text, path, this.#home)) {
      if (this.#mayImport(one, type))
        loaded.push(...(await this.#imported(one, type, path, depth + 1)));
    }
    return loaded;
  }

  async #imported(
    path: string,
    type: MemoryFile["type"],
    importedBy: string,
    depth: number,
  ): Promise<MemoryFile[]> {
    const [first, ...more] = await this.load(path, type, () => true, depth);
    return first ? [{ ...first, importedBy }, ...more] : [];
  }

  /**
   * Loads the rules below a folder. Rules of a project must really be inside of it, wherever links
   * lead.
   */
  async rules(
    root: string,
    type: MemoryFile["type"],
    counts: (file: MemoryFile) => boolean,
  ): Promise<MemoryFile[]> {
    const paths = await markdownBelow(join(root, "rules"), new Set());
    const project = realPath(join(root, ".."));
    const loaded: MemoryFile[] = [];
    for (const path of paths) {
      if (type === "Project" && !isInside(realPath(path), project)) continue;
      loaded.push(...(await this.load(path, type, counts)));
    }
    return loaded;
  }

  #isExcluded(path: string, type: MemoryFile["type"]): boolean {
    return type !== "Managed" && this.#excluded.some((one) => one.test(path.slice(1)));
  }

  #mayImport(path: string, type: MemoryFile["type"]): boolean {
    const isOwn = type === "User" || type === "Managed";
    return isOwn || this.#mayLeave || isAllowed(path, [this.#folder]);
  }
}

/**
 * Lists Markdown files in the order of their names. A linked file is listed under its real path.
 */
async function markdownBelow(folder: string, visited: Set<string>): Promise<string[]> {
  if (visited.has(realPath(folder))) return [];
  visited.add(realPath(folder));
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  for (const entry of entries.toSorted((one, other) => one.name.localeCompare(other.name))) {
    const way = join(folder, entry.name);
    const path = entry.isSymbolicLink() ? realPath(way) : way;
    const what = await stat(path).catch(() => undefined);
    if (what?.isDirectory()) found.push(...(await markdownBelow(path, visited)));
    else if (entry.name.endsWith(".md")) found.push(path);
  }
  return found;
}
