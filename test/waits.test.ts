import { expect, test } from "bun:test";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Loops that look again and again without an end: `until` has a bound, and says what it waited for. */
const unbounded = [
  /while \(.*\)\s*await (?:Bun\.sleep|sleep|[\w.]*\.waitForTimeout)\(/,
  /while \(.*\)\s*await new Promise\((?:\(?\w*\)? => set(?:Timeout|Immediate)|setImmediate)/,
  /^( *)while \(.*\) \{\n(?:\1 (?!.*await until\().*\n|\n)*?\1 +await (?:Bun\.sleep|sleep|[\w.]*\.waitForTimeout)\(/m,
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
