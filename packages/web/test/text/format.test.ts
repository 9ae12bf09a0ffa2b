import { expect, test } from "bun:test";
import {
  bytes,
  counted,
  dollars,
  duration,
  elapsed,
  relative,
  tokens,
} from "../../src/text/format.ts";

test.each([
  [duration, 0, "0 ms"],
  [duration, 117, "117 ms"],
  [duration, 4230, "4.2 s"],
  [duration, 59_960, "1 min 00 s"],
  [duration, 65_000, "1 min 05 s"],
  [duration, 7_380_000, "2 h 03 min"],
  [duration, 273_600_000, "3 d 4 h"],
  [duration, Number.NaN, ""],
  [elapsed, 900, "0 s"],
  [elapsed, 4999, "4 s"],
  [elapsed, 61_999, "1 min 01 s"],
  [tokens, 847, "847"],
  [tokens, 12_693, "12.7k"],
  [tokens, 105_420, "105k"],
  [tokens, 999_960, "1.0M"],
  [bytes, 999, "999 B"],
  [bytes, 1256, "1.3 kB"],
  [bytes, 32_768, "33 kB"],
  [bytes, 1_234_567, "1.2 MB"],
  [dollars, 0, "$0"],
  [dollars, 0.42, "$0.42"],
  [dollars, 0.0031, "$0.0031"],
  [dollars, 0.00001, "< $0.0001"],
])("[IV9] %p of %d", (form, value, text) => {
  expect(form(value)).toBe(text);
});

test("[IV9] things are counted", () => {
  expect([counted(1, "line"), counted(0, "line"), counted(1200, "reply", "replies")]).toEqual([
    "1 line",
    "0 lines",
    "1,200 replies",
  ]);
});

test.each([
  [10_000, "just now"],
  [300_000, "5 min ago"],
  [7_200_000, "2 h ago"],
  [172_800_000, "2 d ago"],
  [-1000, "just now"],
  [-20_000, "in a moment"],
  [-300_000, "in 5 min"],
])("[IV9] %d ms ago", (ago, text) => {
  expect(relative(1e12 - ago, 1e12)).toBe(text);
});
