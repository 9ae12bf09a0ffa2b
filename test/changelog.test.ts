import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listExports } from "./list-exports.ts";

const root = join(import.meta.dir, "..");
/** What each package exported at e7f5043, the last commit before the packages were renamed. */
const before = JSON.parse(
  readFileSync(join(import.meta.dir, "exports-before.json"), "utf8"),
) as Record<string, string[]>;
const rows = readFileSync(join(root, "CHANGELOG.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()));
const readNames = (cell = "") => [...cell.matchAll(/`([\w$]+)`/g)].map(([, name = ""]) => name);
const listed = new Set(rows.flatMap(([, , old]) => readNames(old)));

describe("CHANGELOG.md", () => {
  test.each(Object.entries(before))(
    "lists what %s exported before and no longer does",
    (name, names) => {
      const now = listExports(root, name);
      expect(now.size).toBeGreaterThan(3);
      expect(names.filter((one) => !now.has(one) && !listed.has(one))).toEqual([]);
    },
  );
});
