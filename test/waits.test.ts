import { expect, test } from "bun:test";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/**
 * Loops that look again and again without an end, and loops that wait for promises which may never
 * settle. `until`, `untilChange` and `within` have a bound, and say what they waited for.
 */
const unbounded = [
  /while \(.*\)\s*await (?:Bun\.sleep|sleep|[\w.]*\.waitForTimeout)\(/,
  /while \(.*\)\s*await new Promise\b(?!\(requestAnimationFrame\))/,
  /while \(.*\)\s*await this\.#\w+\.promise/,
  /^( *)(?:while \(.*\)|for \(;;\)) \{\n(?:\1 .*\n|\n)*?\1 +await new Promise\b(?!\(requestAnimationFrame\))/m,
  /^( *)(?:while \(.*\)|for \(;;\)) \{\n(?:\1 .*\n|\n)*?\1 +(?:const .* = )?await [\w.#]*(?:\.read|#next)\(\);/m,
  /^( *)(?:while \(.*\)|for \(;;\)) \{\n(?:\1 (?!.*await until\().*\n|\n)*?\1 +await (?:Bun\.sleep|sleep|[\w.]*\.waitForTimeout)\(/m,
  /(?:async function|const) until\b.*(?:=> \{|\{)\s*while/,
];

test("no test waits in a loop of its own without a bound", () => {
  const files = globSync(["packages/*/test/**/*.{ts,tsx}", "packages/testing/src/**/*.ts"], {
    cwd: root,
  });
  const found = files.filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return unbounded.some((pattern) => pattern.test(text));
  });
  expect(found).toEqual([]);
  expect(files.length).toBeGreaterThan(200);
});
