import { expect, test } from "bun:test";
import { describeFilter, takeFilters } from "../../src/palette/filters.ts";

test("[SE8] a filter becomes a chip when a space follows it, and what remains is looked for", () => {
  expect(takeFilters("streaming project:atlas decoder")).toEqual({
    text: "streaming decoder",
    filters: ["project:atlas"],
  });
  expect(takeFilters("project:atlas")).toEqual({ text: "project:atlas", filters: [] });
  expect(takeFilters('path:"my file.ts" is:error after:90d x')).toEqual({
    text: "x",
    filters: ['path:"my file.ts"', "is:error", "after:90d"],
  });
  expect(takeFilters("http://example.com is nice ")).toEqual({
    text: "http://example.com is nice ",
    filters: [],
  });
  expect(["after:90d", "is:error", "project:atlas", "from:me"].map(describeFilter)).toEqual([
    "last 90 days",
    "errors",
    "atlas",
    "from me",
  ]);
});
