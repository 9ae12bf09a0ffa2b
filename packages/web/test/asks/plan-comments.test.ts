import { expect, test } from "bun:test";
import {
  countComments,
  formatPlanComments,
  movePlanComments,
  splitPlan,
} from "../../src/asks/plan-comments.ts";

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

test("comments stay with their parts while the plan is edited", () => {
  const before = splitPlan(plan);
  const after = splitPlan(plan.replace("# Split it", "# Split it\n\nFirst, measure."));
  expect(movePlanComments(before, after, { 1: "Keep it.", 3: " " })).toEqual({ 2: "Keep it." });
  const changed = splitPlan(plan.replace("Move comparing", "Move the comparison"));
  expect(movePlanComments(before, changed, { 2: "And test it." })).toEqual({ 2: "And test it." });
  expect(movePlanComments(before, [], { 2: "Why?" })).toEqual({ 0: "Why?" });
});
