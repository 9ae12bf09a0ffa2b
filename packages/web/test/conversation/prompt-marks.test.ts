import { expect, test } from "bun:test";
import type { Item } from "@signalbox/client";
import { excerptPrompt, findCurrentPrompt, thinOut } from "../../src/conversation/prompt-marks.ts";

test("the prompt that is read is the last one at or above the first row in sight", () => {
  expect(findCurrentPrompt([0, 4, 9], 0)).toBe(0);
  expect(findCurrentPrompt([0, 4, 9], 8)).toBe(4);
  expect(findCurrentPrompt([0, 4, 9], 9)).toBe(9);
  expect(findCurrentPrompt([3, 4], 1)).toBe(3);
  expect(findCurrentPrompt([], 1)).toBeUndefined();
});

test("a long rail keeps the first, the last and the current prompt", () => {
  const rows = Array.from({ length: 1000 }, (_, at) => at * 3);
  const shown = thinOut(rows, 40, 300);
  expect(shown.length).toBeLessThanOrEqual(41);
  expect(shown[0]).toBe(0);
  expect(shown.at(-1)).toBe(2997);
  expect(shown).toContain(300);
  expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  expect(thinOut([1, 5], 40, 5)).toEqual([1, 5]);
});

test("a prompt of which the hub sent only the ends is named by its beginning", () => {
  const cut = {
    $blob: "hash",
    head: "Summarize  this:\nonce",
    tail: "end",
    characters: 9,
    bytes: 9,
  };
  const prompt = (content: unknown) => ({ kind: "prompt", content }) as unknown as Item;
  expect(excerptPrompt(prompt(cut))).toBe("Summarize this: once…");
  expect(excerptPrompt(prompt([{ type: "text", text: cut }]))).toBe("Summarize this: once…");
});
