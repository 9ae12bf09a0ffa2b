import assert from "node:assert/strict";
import { test } from "node:test";
import { fits, LIMIT } from "../src/limit.js";

test("a short line fits", () => {
  assert.ok(fits("2026-03-01,Oslo,-4.5"));
});

test("a line of one character too many doesn't fit", () => {
  assert.ok(!fits("x".repeat(LIMIT + 1)));
});
