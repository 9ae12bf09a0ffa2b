import { expect, test } from "bun:test";
import { strings } from "../../src/strings/strings.ts";
import { getPlanText } from "../../src/asks/plan-text.ts";

test("[PG43] a plan without words is called that, and shows what came in its place", () => {
  expect(getPlanText({ plan: "# Do it" })).toBe("# Do it");
  expect(getPlanText({})).toStartWith(strings.asks.noPlan);
  expect(getPlanText({ plan: "  \n" })).toStartWith(strings.asks.noPlan);
  expect(getPlanText({ plan: "", file: "p.md" })).toContain('"file": "p.md"');
});
