import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Reader } from "../src/reader.js";

test("a line that was written is read", async () => {
  const reader = new Reader();
  reader.write("2026-03-01,Oslo,-4.5\n");
  await sleep(20);
  assert.deepEqual(reader.lines, ["2026-03-01,Oslo,-4.5"]);
});
