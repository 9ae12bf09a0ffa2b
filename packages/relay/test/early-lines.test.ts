import { expect, test } from "bun:test";
import { EarlyLines } from "../src/conversations/early-lines.ts";

test("[RL48] at most a thousand lines and 16 Mi characters wait, and there is room again when they are taken", () => {
  const early = new EarlyLines();
  for (let nth = 0; nth < 1000; nth++) expect(early.add(String(nth))).toBe(true);
  expect(early.add("one more")).toBe(false);
  expect(early.takeAll()).toHaveLength(1000);
  expect(early.takeAll()).toEqual([]);
  const half = "x".repeat(8 * 1024 * 1024);
  expect([early.add(half), early.add(half), early.add("x")]).toEqual([true, true, false]);
  expect(early.takeAll()).toEqual([half, half]);
});
