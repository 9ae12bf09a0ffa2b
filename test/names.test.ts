import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findAvoidedNames, readAvoidedNames } from "./declared-names.ts";

const root = join(import.meta.dir, "..");
const avoided = readAvoidedNames(readFileSync(join(root, "AGENTS.md"), "utf8"));

/** Names of stored data, frames and options keep their spelling. */
const stored = [
  { file: "packages/timeline/src/event.ts", name: "told" },
  { file: "packages/timeline/src/normalize/state.ts", name: "told" },
  { file: "packages/timeline/src/normalize/runs.ts", name: "told" },
  { file: "packages/cli/src/commands/serve.ts", name: "held" },
];
/** Whole names are checked in packages only: a test may say `const said = …`. */
const everywhere = { ...avoided, names: new Set<string>() };

function findIn(patterns: readonly string[], words: typeof avoided) {
  const files = patterns.flatMap((one) => [...new Bun.Glob(one).scanSync({ cwd: root })]);
  const found = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return file === "test/names.test.ts"
      ? []
      : findAvoidedNames(text, words).map((name) => ({ file, name }));
  });
  const isStored = (one: { file: string; name: string }) =>
    stored.some(({ file, name }) => file === one.file && name === one.name);
  return { files, found: found.filter((one) => !isStored(one)) };
}

describe("the names that are declared", () => {
  test("are none of the words to avoid of AGENTS.md, in packages", () => {
    expect(findIn(["packages/*/src/**/*.{ts,tsx}"], avoided).found).toEqual([]);
  });

  test("are none of these types and functions, in tests, scripts and benchmarks", () => {
    const { files, found } = findIn(
      ["packages/*/{test,build}/**/*.{ts,tsx}", "{test,scripts,bench}/**/*.{ts,mts}"],
      everywhere,
    );
    expect(files.length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });
});

describe("a name to avoid", () => {
  const page = [
    "## Words to avoid",
    "| instead of | say |",
    "|---|---|",
    "| `Door`, `Visit` | `HttpServer`, `RequestContext` |",
    "| `wordGiven` | `startRequested` |",
    "| `…Of` | a verb |",
    "| `MOST_…` | `MAX_…` |",
    "## Next",
    "| `Other` | nothing |",
  ].join("\n");
  const words = readAvoidedNames(page);
  const found = (text: string) => findAvoidedNames(text, words);

  test("stands in the first column of the table", () => {
    expect(words).toEqual({
      inTypes: new Set(["Door", "Visit"]),
      names: new Set(["wordGiven"]),
      functionEndings: ["Of"],
      beginnings: ["MOST_"],
    });
    expect(avoided.inTypes.size).toBeGreaterThan(10);
    expect(avoided.functionEndings).toEqual(["Of"]);
  });

  test.each([
    ["class StreamDoor {}", "StreamDoor"],
    ["export interface Visit {}", "Visit"],
    ["type LinkVisit<T> = T;", "LinkVisit"],
    ["export function pathOf(a: string) {}", "pathOf"],
    ["const sizeOf = (a: string): number => a.length;", "sizeOf"],
    ["const sizeOf = async (a = b()) => a;", "sizeOf"],
    ["class A {\n  #nameOf(a: string): string {\n  }\n}", "nameOf"],
    ["class A {\n  readonly wordGiven = false;\n}", "wordGiven"],
    ["interface A {\n  wordGiven?: boolean;\n}", "wordGiven"],
    ["let wordGiven = 1;", "wordGiven"],
    ["const MOST_LINES = 1;", "MOST_LINES"],
  ])("is found where it is declared: %s", (text, name) => {
    expect(found(text)).toContain(name);
  });

  test.each([
    "class Doorway {}",
    "const threshold = 1;",
    "const visit = (node: Node) => walk(node);",
    "const at = list.indexOf(one);",
    "const kindOf: string = map.get(a);",
    "// function pathOf() {}",
    "/** The class Door { } */",
    'const text = "wordGiven";',
  ])("is not seen in: %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});
