import { describe, expect, test } from "bun:test";
import { highlightChanges } from "../../src/items/diff/highlighted-changes.ts";
import { diffLine, createHunk, buildRows, joinSide } from "../../src/items/diff/rows.ts";
import { highlightedLines } from "../../src/code/highlight/tokens.ts";

const hunk = {
  oldStart: 4,
  oldLines: 4,
  newStart: 4,
  newLines: 4,
  lines: [" a", "-let b = 1;", "-gone", "+let b = 2;", " c", "+d", "\\ No newline at end of file"],
};

describe("a patch", () => {
  test("has a row for each line, what went beside what came in its place", () => {
    const rows = buildRows([hunk]);
    expect(
      rows.map((row) =>
        row.kind === "same" || row.kind === "changed"
          ? [row.old?.number, row.old?.text, row.new?.number, row.new?.text]
          : row.kind,
      ),
    ).toEqual([
      "gap",
      [4, "a", 4, "a"],
      [5, "let b = 1;", 5, "let b = 2;"],
      [6, "gone", undefined, undefined],
      [7, "c", 6, "c"],
      "remark",
      [undefined, undefined, 7, "d"],
    ]);
  });

  test("knows the code of either side", () => {
    expect(joinSide(buildRows([hunk]), "old")).toBe("a\nlet b = 1;\ngone\nc");
    expect(joinSide(buildRows([hunk]), "new")).toBe("a\nlet b = 2;\nc\nd");
  });
});

describe("words that changed", () => {
  const shown = (before: string, after: string) =>
    diffLine(before, after).map((words) =>
      words.map(({ text, changed }) => (changed ? `[${text}]` : text)).join(""),
    );

  test("are those between the common beginning and end, from whole words on", () => {
    expect(shown("let b = 1;", "let b = 2;")).toEqual(["let b = [1];", "let b = [2];"]);
    expect(shown("violets are green.", "violets are grey.")).toEqual([
      "violets are [green].",
      "violets are [grey].",
    ]);
  });

  test("are not marked where the lines share too little", () => {
    expect(shown("abcdefghij", "a-completely-other")).toEqual(["abcdefghij", "a-completely-other"]);
    expect(shown("", "new")).toEqual(["", "new"]);
  });
});

test("what is still to be done is a patch too", () => {
  expect(createHunk({ type: "edit", oldContent: "a\nb\nc", newContent: "a\nB\nc" })?.lines).toEqual(
    [" a", "-b", "+B", " c"],
  );
  expect(createHunk({ type: "create", content: "x\n" })?.lines).toEqual(["+x"]);
  expect(createHunk({ type: "edit" })).toBeUndefined();
});

test("a line is cut where its colour and where its being changed changes", () => {
  const stretches = highlightChanges(
    [
      ["let ", 4],
      ["b = 1", 0],
    ],
    [
      { text: "let b", changed: false },
      { text: " = 1", changed: true },
    ],
  );
  expect(stretches).toEqual([
    { text: "let ", kind: 4, changed: false },
    { text: "b", kind: 0, changed: false },
    { text: " = 1", kind: 0, changed: true },
  ]);
});

test("code that grows keeps the colours of the lines that stand", () => {
  const earlier = {
    code: "let a\nle",
    lines: [
      [
        ["let", 4],
        [" a", 0],
      ],
      [["le", 0]],
    ],
  } as const;
  expect(highlightedLines("let a\nlet b\nc", earlier)).toEqual([
    [
      ["let", 4],
      [" a", 0],
    ],
    [["let b", 0]],
    [["c", 0]],
  ]);
  expect(highlightedLines("other", earlier)).toEqual([[["other", 0]]]);
});
