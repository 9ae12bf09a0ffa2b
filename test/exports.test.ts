import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { findUnusedExports } from "./unused-exports.ts";

const root = join(import.meta.dir, "..");

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<
    Record<string, string | { readonly bun?: string; readonly default?: string }>
  >;
}

/** The files of the packages' exports, by the names under which they are imported. */
function readEntries(): Map<string, string> {
  const manifests = new Bun.Glob("packages/*/package.json").scanSync({ cwd: root });
  return new Map(
    [...manifests].flatMap((path) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), "utf8")) as Manifest;
      return Object.entries(exports).map(([subpath, target]): [string, string] => {
        const file =
          typeof target === "string" ? target : (target.bun ?? findSource(target.default ?? ""));
        return [posix.join(name, subpath), posix.join(posix.dirname(path), file)];
      });
    }),
  );
}

/** A package that is used only built names no source: the React package, whose index has JSX. */
function findSource(built: string): string {
  return built.replace(/^\.\/dist\/(.+)\.js$/, "./src/$1.tsx");
}

/** `@signalbox/testing/*` stands for every file of the package. */
function resolve(entries: ReadonlyMap<string, string>, specifier: string): string | undefined {
  const exact = entries.get(specifier);
  if (exact !== undefined) return exact;
  for (const [pattern, file] of entries) {
    const [before = "", after] = pattern.split("*");
    if (after === undefined || !specifier.startsWith(before)) continue;
    return file.replace("*", specifier.slice(before.length));
  }
  return undefined;
}

const index = "export interface Used {}\nexport const unused = 1;\nexport function used() {}\n";
const user = 'import { type Used, used as other } from "./a.ts";\nexport const entry = 1;\n';

describe("what files export", () => {
  test("is imported somewhere, unless it is an entry of its package", () => {
    const entries = readEntries();
    const globs = ["packages", "test", "scripts", "bench", "examples"].map(
      (folder) => new Bun.Glob(`${folder}/**/*.{ts,tsx,mjs,mts}`),
    );
    const files = globs
      .flatMap((glob) => [...glob.scanSync({ cwd: root })])
      .filter((path) => !/(?:^|\/)(?:node_modules|dist[^/]*)\//.test(path))
      .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
    expect(files.length).toBeGreaterThan(1000);
    const found = findUnusedExports(
      files,
      (specifier) => resolve(entries, specifier),
      new Set(entries.values()),
    );
    expect(found).toEqual([]);
  });

  test("is found to be unused by its name", () => {
    const files = [
      { path: "packages/p/src/a.ts", text: index },
      { path: "packages/p/src/b.ts", text: user },
    ];
    const entries = new Set(["packages/p/src/b.ts"]);
    expect(findUnusedExports(files, () => undefined, entries)).toEqual([
      "packages/p/src/a.ts: unused",
    ]);
    const whole = { path: "packages/p/test/c.ts", text: 'import * as a from "../src/a.ts";' };
    expect(findUnusedExports([...files, whole], () => undefined, entries)).toEqual([]);
  });
});
