import { describe, expect, test } from "bun:test";
import type { LineView } from "@signalbox/api";
import {
  describeFilter,
  type LoadedLines,
  noLines,
  withNewest,
  withOlder,
} from "../../src/panels/loaded-lines.ts";

const page = (from: number, to: number, more = true): LoadedLines => ({
  lines: Array.from(
    { length: to - from + 1 },
    (_, at): LineView => ({ pos: from + at, at: 0, from: "agent", text: "{}" }) as LineView,
  ),
  more,
});
const span = ({ lines, more }: LoadedLines) => [lines[0]?.pos, lines.at(-1)?.pos, more];

describe("lines of the wire", () => {
  test("the newest join what is loaded, each once", () => {
    const held = page(11, 20);
    expect(span(withNewest(noLines, held))).toEqual([11, 20, true]);
    const joined = withNewest(held, page(15, 24));
    expect(span(joined)).toEqual([11, 24, true]);
    expect(joined.lines).toHaveLength(14);
    expect(span(withNewest(held, page(21, 24)))).toEqual([11, 24, true]);
    expect(withNewest(held, page(11, 20))).toBe(held);
    expect(withNewest(held, noLines)).toBe(held);
  });
  test("where lines between are missing, the newest stand alone", () => {
    expect(span(withNewest(page(1, 10, false), page(50, 60)))).toEqual([50, 60, true]);
  });
  test("older ones come before, and too many are let go", () => {
    expect(span(withOlder(page(11, 20), page(1, 10, false)))).toEqual([1, 20, false]);
    const long = withNewest(page(1, 990, false), page(985, 1010));
    expect(span(long)).toEqual([11, 1010, true]);
  });
  test("a filter says what it has looked at", () => {
    expect(describeFilter(2, page(1, 10))).toContain("2 of 10 loaded lines; load older");
    expect(describeFilter(0, page(1, 1, false))).toBe("0 of 1 loaded line; all lines are loaded");
  });
});
