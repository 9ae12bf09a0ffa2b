import { expect, test } from "bun:test";
import { countComments, formatPlanComments, splitPlan } from "../../src/asks/plan-comments.ts";

const plan =
  "# Split it\n\n1. Move **reading**\n   to a file\n2. Move comparing\n\nNothing else changes.\n";

test("headings, paragraphs and entries of lists can be commented on", () => {
  expect(splitPlan(plan).map((part) => part.trim())).toEqual([
    "# Split it",
    "1. Move **reading**\n   to a file",
    "2. Move comparing",
    "Nothing else changes.",
  ]);
});

test("code in a list stays in one part", () => {
  expect(splitPlan("- run\n  ```sh\n  - x\n  ```\n- stop\n")).toHaveLength(1);
});

test("comments go back with the lines they are about", () => {
  const parts = splitPlan(plan);
  expect(formatPlanComments(parts, { 1: "Keep it where it is.", 3: "  ", 2: "And test it." })).toBe(
    "> 1. Move **reading**\n>    to a file\n\nKeep it where it is.\n\n> 2. Move comparing\n\nAnd test it.",
  );
  expect(formatPlanComments(parts, {})).toBe("");
  expect(countComments({ 1: "a", 2: " " })).toBe(1);
});
