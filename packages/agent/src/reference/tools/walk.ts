import { existsSync } from "node:fs";
import { opendir, readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { globToRegExp } from "../permission/glob.ts";

interface Ignore {
  readonly folder: string;
  readonly rules: readonly { test: RegExp; negated: boolean; foldersOnly: boolean }[];
}

/** The files below a folder. With `ignores` as ripgrep sees them: without what .ignore and, in a
 * repository, .gitignore leave out. Links are not followed: they may lead anywhere. */
export async function* walk(
  folder: string,
  options: { ignores: boolean; signal: AbortSignal },
  above: readonly Ignore[] = [],
): AsyncGenerator<string> {
  options.signal.throwIfAborted();
  const entries = await opendir(folder).catch(() => undefined);
  if (!entries) return; // not ours to read
  const ignores = options.ignores ? [...above, ...(await ignoresIn(folder))] : above;
  const folders: string[] = [];
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (entry.name === ".git" && isFolder) continue;
    if (options.ignores && isIgnored(ignores, path, isFolder)) continue;
    if (isFolder) folders.push(path);
    else if (entry.isFile()) yield path;
  }
  for (const one of folders.toSorted((one, other) => one.localeCompare(other)))
    yield* walk(one, options, ignores);
}

function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  return dirname(folder) !== folder && isInRepository(dirname(folder));
}

async function ignoresIn(folder: string): Promise<Ignore[]> {
  const names = isInRepository(folder) ? [".gitignore", ".ignore"] : [".ignore"];
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")),
  );
  const rules = texts
    .flatMap((whole) => whole.split("\n"))
    .flatMap((line) => {
      const bare = line.replace(/\s+$/, "");
      if (bare === "" || bare.startsWith("#")) return [];
      const negated = bare.startsWith("!");
      const pattern = negated ? bare.slice(1) : bare;
      const foldersOnly = pattern.endsWith("/");
      const body = pattern.replace(/\/$/, "");
      const anchored = body.includes("/");
      const glob = anchored ? body.replace(/^\//, "") : `**/${body}`;
      return [{ test: globToRegExp(glob), negated, foldersOnly }];
    });
  return rules.length > 0 ? [{ folder, rules }] : [];
}

function isIgnored(ignores: readonly Ignore[], path: string, isFolder: boolean): boolean {
  let ignored = false;
  for (const { folder, rules } of ignores) {
    const way = relative(folder, path);
    for (const { test, negated, foldersOnly } of rules) {
      if ((!foldersOnly || isFolder) && test.test(way)) ignored = !negated;
    }
  }
  return ignored;
}
