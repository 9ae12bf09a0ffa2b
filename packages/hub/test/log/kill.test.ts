import { expect, setDefaultTimeout, test } from "bun:test";
import { killAndLook } from "./kill-rounds.ts";
import { openFolder } from "./rows.ts";

setDefaultTimeout(180_000);

test("[LG8] after kill -9 every resolved commit is there once, in order, and each is whole", async () => {
  await using folder = await openFolder();
  let found = { commits: 0, lines: 0 };
  for (const after of [1, 2, 7, 40, 150]) found = await killAndLook(folder.path, found, after);
  expect(found.commits).toBeGreaterThanOrEqual(200);
});
