import { expect, test } from "bun:test";
import {
  formatBytes,
  formatCount,
  formatDollars,
  formatDuration,
  formatElapsed,
  formatRelativeTime,
  formatTokens,
} from "../../src/text/format.ts";

test.each([
  [formatDuration, 0, "0 ms"],
  [formatDuration, 117, "117 ms"],
  [formatDuration, 4230, "4.2 s"],
  [formatDuration, 59_960, "1 m 0 s"],
  [formatDuration, 65_000, "1 m 5 s"],
  [formatDuration, 7_380_000, "2 h 3 m"],
  [formatDuration, 273_600_000, "3 d 4 h"],
  [formatDuration, Number.NaN, ""],
  [formatElapsed, 900, "0 s"],
  [formatElapsed, 4999, "4 s"],
  [formatElapsed, 61_999, "1 m 1 s"],
  [formatTokens, 847, "847"],
  [formatTokens, 12_693, "12.7k"],
  [formatTokens, 105_420, "105k"],
  [formatTokens, 999_960, "1.0M"],
  [formatBytes, 999, "999 B"],
  [formatBytes, 1256, "1.3 kB"],
  [formatBytes, 32_768, "33 kB"],
  [formatBytes, 1_234_567, "1.2 MB"],
  [formatDollars, 0, "$0"],
  [formatDollars, 0.42, "$0.42"],
  [formatDollars, 0.0031, "$0.0031"],
  [formatDollars, 0.00001, "< $0.0001"],
])("[IV9] %p of %d", (form, value, text) => {
  expect(form(value)).toBe(text);
});

test("[IV9] things are counted", () => {
  expect([formatCount(1, "line"), formatCount(0, "line"), formatCount(1200, "match")]).toEqual([
    "1 line",
    "0 lines",
    "1,200 matches",
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
  expect(formatRelativeTime(1e12 - ago, 1e12)).toBe(text);
});
