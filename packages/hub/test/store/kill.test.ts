import { expect, setDefaultTimeout, test } from "bun:test";
import { killWriter, look } from "./kill-rounds.ts";
import { openFolder } from "./rows.ts";

setDefaultTimeout(180_000);

test("[LG8] after kill -9 every resolved commit is there once, in order and complete", async () => {
  await using folder = await openFolder();
  let last = 0;
  for (const after of [1, 2, 7, 40, 150]) last = await killWriter(folder.path, last, after);
  expect(last).toBeGreaterThanOrEqual(200);
  const { commits, ...troubles } = await look(folder.path, last);
  expect(commits).toBeGreaterThanOrEqual(last);
  expect(troubles).toEqual({ lost: 0, doubled: 0, reordered: 0 });
});
