import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

const rule = /^- \*\*([A-Z]{2}\d+)\*\* \S/gm;
/** `test("[AB1] …", …)`, also `test.each(…)("[AB1] …", …)`; what is skipped proves nothing. */
const title = /\btest(?!\.(?:skip|todo))(?:\.\w+\([^)]*\))?\(\s*["'`]((?:\[[A-Z]{2}\d+\] ?)+)/g;

function rulesIn(page: string): string[] {
  return [...page.matchAll(rule)].map(([, id = ""]) => id);
}

function idsIn(testFile: string): string[] {
  return [...testFile.matchAll(title)].flatMap(([, ids = ""]) => ids.match(/[A-Z]{2}\d+/g) ?? []);
}

function read(pattern: string): string[] {
  const found = [...new Bun.Glob(pattern).scanSync({ cwd: root })];
  return found.map((name) => readFileSync(join(root, name), "utf8"));
}

describe("docs/spec", () => {
  const rules = read("docs/spec/*.md").flatMap(rulesIn);
  const proven = new Set(
    ["packages/*/test/**/*.{ts,tsx}", "packages/testing/src/**/*.ts"].flatMap(read).flatMap(idsIn),
  );

  test("has every rule once", () => {
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter((id, at) => rules.indexOf(id) !== at)).toEqual([]);
  });

  test("has a test for every rule", () => {
    expect(rules.filter((id) => !proven.has(id))).toEqual([]);
  });

  test("has a rule for every id in a test's title", () => {
    expect([...proven].filter((id) => !rules.includes(id))).toEqual([]);
  });
});

describe("what is read as a rule and as a title", () => {
  test("rules are list items that begin with their id", () => {
    expect(rulesIn("- **FR1** Lines end at LF.\n- **FR12** More.\n")).toEqual(["FR1", "FR12"]);
    expect(rulesIn("See FR1.\n- **FR2**\n- **Fr3** no\ntext - **FR4** no\n")).toEqual([]);
  });

  test("titles are those of tests that run", () => {
    const text = [
      'test("[AB1] one", () => {});',
      'test(\n  "[AB2] [AB3] two",\n  () => {});',
      'test.each(versions)("[AB4] %s", () => {});',
      'test.if(linux)("[AB5] five", () => {});',
      'test.skip("[AB6] skipped", () => {});',
      'test.todo("[AB7] later");',
      'describe("[AB8] no test", () => {});',
      'expect(line).toBe("[AB9] no title");',
    ].join("\n");
    expect(idsIn(text)).toEqual(["AB1", "AB2", "AB3", "AB4", "AB5"]);
  });
});
