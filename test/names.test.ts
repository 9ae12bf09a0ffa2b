import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findAvoidedNames, readAvoidedWords } from "./declared-names.ts";

const root = join(import.meta.dir, "..");
const avoided = readAvoidedWords(readFileSync(join(root, "AGENTS.md"), "utf8"));

describe("the names of the packages", () => {
  const found = [...new Bun.Glob("packages/*/src/**/*.{ts,tsx}").scanSync({ cwd: root })].flatMap(
    (file) => {
      const text = readFileSync(join(root, file), "utf8");
      return findAvoidedNames(text, avoided).map((name) => ({ file, name }));
    },
  );

  test("are none of the words to avoid of AGENTS.md", () => {
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
    "## Next",
    "| `Other` | nothing |",
  ].join("\n");
  const words = readAvoidedWords(page);
  const found = (text: string) => findAvoidedNames(text, words);

  test("stands in the first column of the table", () => {
    expect(words).toEqual({
      inTypes: new Set(["Door", "Visit"]),
      names: new Set(["wordGiven"]),
      functionEndings: ["Of"],
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
