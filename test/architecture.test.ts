import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const page = readFileSync(join(root, "docs/architecture.md"), "utf8");

/** Names in a file, such as: `Session` in [hub/src/session/session.ts](../packages/hub/…). */
const named = [...page.matchAll(/`([A-Za-z.]+)` in \[([^\]]+)\]\(\.\.\/([^)]+)\)/g)].map(
  ([, symbol = "", shown = "", path = ""]) => ({ symbol, shown, path }),
);

function isDeclared(source: string, symbol: string): boolean {
  const [owner = "", member] = symbol.split(".");
  const declared = new RegExp(
    `^export (?:default )?(?:abstract )?(?:async )?(?:class|function|const|interface|type) ${owner}\\b`,
    "m",
  ).test(source);
  if (member === undefined) return declared;
  return declared && new RegExp(`^ +(?:async )?${member}\\(`, "m").test(source);
}

test("docs/architecture.md names both paths, hop by hop", () => {
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ shown, path }) => path !== `packages/${shown}`)).toEqual([]);
});

test.each(named)("docs/architecture.md: $symbol is declared in $path", ({ symbol, path }) => {
  expect(existsSync(join(root, path))).toBe(true);
  expect(isDeclared(readFileSync(join(root, path), "utf8"), symbol)).toBe(true);
});

test("docs/architecture.md lists every package that a reader may see", () => {
  const folders = [...new Bun.Glob("packages/*/package.json").scanSync({ cwd: root })];
  const names = folders.map((path) => path.split("/")[1] ?? "");
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
