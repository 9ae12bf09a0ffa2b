import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dir, "..");

/** The rows that are closed: a letter, and from where to where. */
const pages = {
  "docs/spec/security.md": { letter: "C", rows: "1-38" },
  "docs/spec/faults.md": { letter: "F", rows: "1-39" },
};

interface Row {
  readonly id: string;
  readonly what: string;
  readonly proofs: readonly { readonly file: string; readonly title: string }[];
}

function getRows(page: string): Row[] {
  const rows = [...page.matchAll(/^\| \*\*(\w+)\*\* +\| (.+?) +\| (.+?) +\|$/gm)];
  return rows.map(([, id = "", what = "", cell = ""]) => {
    const proofs = [...cell.matchAll(/`([^`]+)` “([^”]+)”/g)];
    return { id, what, proofs: proofs.map(([, file = "", title = ""]) => ({ file, title })) };
  });
}

function expand(letter: string, ranges: string): string[] {
  return ranges.split(" ").flatMap((range) => {
    const [from = 0, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, at) => `${letter}${from + at}`);
  });
}

/** Whether a test's file has this title, or a part of it; what is skipped proves nothing. */
function isThere({ file, title }: { file: string; title: string }): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const at = readFileSync(path, "utf8").split(title);
  return at.length > 1 && !/test\.(?:skip|todo)\([^)]*$/.test(at[0] ?? "");
}

describe.each(Object.entries(pages))("%s", (name, { letter, rows: ranges }) => {
  const rows = getRows(readFileSync(join(root, name), "utf8"));

  test("has every row once, in order", () => {
    expect(rows.map(({ id }) => id)).toEqual(expand(letter, ranges));
  });

  test("names a test for every row", () => {
    expect(rows.filter(({ proofs }) => proofs.length === 0).map(({ id }) => id)).toEqual([]);
  });

  test("names tests that are there", () => {
    const missing = rows.flatMap(({ id, proofs }) =>
      proofs.filter((proof) => !isThere(proof)).map(({ file, title }) => `${id}: ${file} ${title}`),
    );
    expect(missing).toEqual([]);
  });
});
