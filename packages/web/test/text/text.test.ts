import { describe, expect, test } from "bun:test";
import { plainExcerpt } from "../../src/text/plain-excerpt.ts";
import { toShortText, joinEnds, getLength } from "../../src/text/body.ts";
import { matchSelectedOptions } from "../../src/items/tools/selected-options.ts";
import { parseSearchOutput } from "../../src/items/tools/search-results.ts";
import { toImageDataUrl } from "../../src/text/image-source.ts";
import { chunkLines, splitHeadAndTail, countLines, truncateMiddle } from "../../src/text/lines.ts";
import { relativePath, splitPath } from "../../src/text/path.ts";
import { formatJson, formatJsonLine } from "../../src/text/format-json.ts";

const cut = { $blob: "0", bytes: 99, characters: 98, head: "begin", tail: "end" };

describe("texts that were cut", () => {
  test("[IV8] have ends, a length and a first line", () => {
    expect([joinEnds(cut), getLength(cut), toShortText(cut)]).toEqual([
      "begin\n…\nend",
      98,
      "begin…",
    ]);
    expect([joinEnds("a"), getLength("ab"), toShortText("abc", 2)]).toEqual(["a", 2, "ab…"]);
  });

  test("[IV8] stand in JSON by their ends", () => {
    expect(formatJson({ a: cut })).toBe('{\n  "a": "begin\\n…\\nend"\n}');
    expect(formatJsonLine("no json")).toBe("no json");
  });
});

describe("many lines", () => {
  const text = Array.from({ length: 20 }, (_, at) => String(at)).join("\n");

  test("are shown by their ends, unless little would be left out", () => {
    expect(splitHeadAndTail(text, 2, 1)).toEqual({ head: "0\n1", tail: "19", omitted: 17 });
    expect(splitHeadAndTail(text, 10, 8)).toEqual({ head: text, tail: "", omitted: 0 });
  });

  test("are cut into pieces that joined are the text", () => {
    expect(chunkLines(text, 6)).toHaveLength(4);
    expect(chunkLines(text, 6).join("\n")).toBe(text);
    expect([countLines(""), countLines("a"), countLines("a\n"), countLines("a\n\nb")]).toEqual([
      0, 1, 1, 3,
    ]);
  });

  test("of a path that is cut the end is kept longest, from a slash on where there is one", () => {
    const long = "/home/dev/projects/signalbox/packages/web/src/board.tsx";
    expect(splitPath(long)).toEqual({
      start: "/home/dev/projects/signalbox/packages",
      end: "/web/src/board.tsx",
    });
    expect(splitPath("/home/dev")).toEqual({ start: "", end: "/home/dev" });
    const { start, end } = splitPath(`/a/${"x".repeat(100)}`);
    expect([start.length, end.length]).toEqual([83, 20]);
    expect(splitPath("")).toEqual({ start: "", end: "" });
  });

  test("paths are cut in the middle and shown inside their folder", () => {
    expect(truncateMiddle("/home/dev/a/very/long/path.ts", 16)).toBe("/home…ng/path.ts");
    expect(relativePath("/home/dev/a.ts", "/home/dev")).toBe("a.ts");
    expect(relativePath("/home/developer/a.ts", "/home/dev")).toBe("/home/developer/a.ts");
  });
});

test("hits are grouped by file, with the lines around them", () => {
  expect(parseSearchOutput("a.ts:1:x: 2\na.ts-2-y\n--\nb/c.ts:9:\nd.ts:plain")).toEqual([
    {
      file: "a.ts",
      lines: [
        { line: 1, text: "x: 2", isContext: false },
        { line: 2, text: "y", isContext: true },
      ],
    },
    { file: "b/c.ts", lines: [{ line: 9, text: "", isContext: false }] },
    { file: "d.ts", lines: [{ text: "plain", isContext: false }] },
  ]);
});

test("answers name options, also those with commas, and may be in own words", () => {
  const labels = ["Tests", "Tests, too", "Docs"];
  expect(matchSelectedOptions("Tests, too, Docs", labels)).toEqual({
    labels: new Set(["Tests, too", "Docs"]),
    otherText: "",
  });
  expect(matchSelectedOptions("Docs, and more", labels)).toEqual({
    labels: new Set(["Docs"]),
    otherText: "and more",
  });
  expect(matchSelectedOptions(undefined, labels)).toEqual({ labels: new Set(), otherText: "" });
});

const pictures = [
  ["image/png", "iVBORw0KGgo=", "data:image/png;base64,iVBORw0KGgo="],
  ["IMAGE/JPEG", "ab\ncd", "data:image/jpeg;base64,abcd"],
  ["image/svg+xml", "PHN2Zz4=", undefined],
  ["text/html", "PGI+", undefined],
  ["image/png", "x;onerror=alert(1)", undefined],
  ["image/png,<script>", "abcd", undefined],
] as const;

test.each(pictures)("[IV5] a picture of %s with %s", (type, data, source) => {
  expect(toImageDataUrl(type, data)).toBe(source);
});

test("an excerpt of Markdown has no marks, joins items visibly and leaves out tables and code", () => {
  expect(plainExcerpt("# The plan\n\n1. Move **reading**\n2. Keep `order`\n")).toBe(
    "The plan: Move reading · Keep order",
  );
  expect(plainExcerpt("Done.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nAll pass.")).toBe(
    "Done. All pass.",
  );
  expect(plainExcerpt("See:\n```ts\nx\n```")).toBe("See:");
});
