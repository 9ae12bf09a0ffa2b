import { expect, test } from "bun:test";
import { getColumns, wrap } from "../../src/terminal/wrap.ts";

test("[AG44] lines wrap between words and keep their indentation", () => {
  expect(wrap("one two three", 80)).toBe("one two three");
  expect(wrap("one two three\n\n  four five six", 9)).toBe(
    "one two\nthree\n\n  four\n  five\n  six",
  );
  expect(wrap("▲ one two three", 10)).toBe("▲ one two\n  three");
  expect(wrap("a /very/long/path of words", 8)).toBe("a\n/very/long/path\nof words");
  expect(wrap("  a  one two three", 12)).toBe("  a  one two\n     three");
  expect(getColumns({ columns: 60 })).toBe(60);
  expect(getColumns({})).toBe(80);
});
