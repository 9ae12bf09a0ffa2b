import { expect, test } from "bun:test";
import { planTextOf } from "../../src/asks/plan-text.ts";

test("[PG43] a plan without words is called that, and shows what came in its place", () => {
  expect(planTextOf({ plan: "# Do it" })).toBe("# Do it");
  expect(planTextOf({})).toStartWith("There is no plan to read");
  expect(planTextOf({ plan: "  \n" })).toStartWith("There is no plan to read");
  expect(planTextOf({ plan: "", file: "p.md" })).toContain('"file": "p.md"');
});
