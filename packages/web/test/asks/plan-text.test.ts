import { expect, test } from "bun:test";
import { getPlanText } from "../../src/asks/plan-text.ts";

test("[PG43] a plan without words is called that, and shows what came in its place", () => {
  expect(getPlanText({ plan: "# Do it" })).toBe("# Do it");
  expect(getPlanText({})).toStartWith("The request contains no plan");
  expect(getPlanText({ plan: "  \n" })).toStartWith("The request contains no plan");
  expect(getPlanText({ plan: "", file: "p.md" })).toContain('"file": "p.md"');
});
