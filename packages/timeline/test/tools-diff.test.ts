import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { createPatch, formatUnifiedDiff } from "../src/tools/index.ts";
import { growthFromTenth } from "@signalbox/testing/cpu";

/** What `patch` does with a unified diff. */
function patched(before: string, diff: string): string {
  if (diff === "") return before;
  const old = before.split(/(?<=\n)/).filter((line) => line !== "");
  const out: string[] = [];
  let at = 0;
  for (const line of diff.slice(0, -1).split("\n").slice(2)) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line);
    if (head) {
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1);
      out.push(...old.slice(at, start));
      at = start;
    } else if (line.startsWith("\\")) {
      out.push(out.pop()?.replace(/\n$/, "") ?? "");
    } else {
      if (!line.startsWith("+")) {
        const kept = (old[at++] ?? "").replace(/\n$/, "");
        if (kept !== line.slice(1)) throw new Error(`${JSON.stringify(line)} does not fit`);
      }
      out.push(line.startsWith("-") ? "" : `${line.slice(1)}\n`);
    }
  }
  return [...out, ...old.slice(at)].join("");
}
const diff = (before: string, after: string) =>
  formatUnifiedDiff("f", createPatch(before, after), false);

describe("our own diff", () => {
  const texts = fc
    .array(fc.constantFrom("a", "b", "c", "", " x", "-y", "+z", "\\w", "@@ -1 +1 @@", "r\r"))
    .chain((lines) => fc.constantFrom(lines.join("\n"), `${lines.join("\n")}\n`));

  test("[TL73] applied to the old text gives the new one", () => {
    const law = fc.property(texts, texts, (before, after) => {
      expect(patched(before, diff(before, after))).toBe(after);
    });
    fc.assert(law, { numRuns: 1000 });
  });

  test("[TL73] counts its lines as its heads say", () => {
    const law = fc.property(texts, texts, (before, after) => {
      for (const { lines, oldLines, newLines } of createPatch(before, after)) {
        const signs = lines.map((line) => line[0]);
        expect(signs.filter((sign) => sign === " " || sign === "-")).toHaveLength(oldLines);
        expect(signs.filter((sign) => sign === " " || sign === "+")).toHaveLength(newLines);
      }
    });
    fc.assert(law);
  });

  test("[TL73] is as the wire's: three lines of context, changes far apart in hunks of their own", () => {
    const before = Array.from({ length: 20 }, (_, at) => `${at}\n`);
    const after = before.with(2, "two\n").with(15, "fifteen\n");
    const patch = createPatch(before.join(""), after.join(""));
    expect(patch).toMatchObject([
      { oldStart: 1, oldLines: 6, newStart: 1, newLines: 6 },
      { oldStart: 13, oldLines: 7, newStart: 13, newLines: 7 },
    ]);
  });

  test("[TL73] an open end is told", () => {
    expect(diff("c", "c\nd")).toBe(
      "--- f\n+++ f\n@@ -1 +1,2 @@\n-c\n\\ No newline at end of file\n+c\n+d\n\\ No newline at end of file\n",
    );
  });

  test("[TL73] of two huge texts with nothing in common takes no seconds and is one hunk", () => {
    const lines = (word: string, length: number) =>
      Array.from({ length }, (_, at) => `${word}${at}\n`).join("");
    const compare = (length: number) => createPatch(lines("a", length), lines("b", length));
    const grows = growthFromTenth(
      () => void compare(10_000),
      () => expect(compare(100_000)).toMatchObject([{ oldLines: 100_000, newLines: 100_000 }]),
    );
    expect(grows).toBeLessThan(50);
  });

  test("[TL73] of a huge text with a few changes finds them", () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `${at % 7}\n`);
    const changed = lines.with(10, "x\n").with(50_000, "y\n").toSpliced(90_000, 2);
    const patch = createPatch(lines.join(""), changed.join(""));
    expect(patch.length).toBe(3);
    expect(patched(lines.join(""), formatUnifiedDiff("f", patch, false))).toBe(changed.join(""));
  });
});
