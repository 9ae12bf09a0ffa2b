import { expect, test } from "bun:test";
import { Bench, desk } from "./bench.ts";

test("[HB142] drafts outlive the hub, and of two changes of one revision the first counts", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const save = (text: string, base: number) =>
    bench.engine.drafts.save({ name: id, text, mentions: [], attachments: 0, base }, desk);
  expect(await Promise.all([save("first", 0), save("second", 0)])).toEqual([
    { isSaved: true, rev: 1 },
    { isSaved: false, rev: 1 },
  ]);
  await bench.closeHub();
  await bench.openHub();
  expect(bench.engine.drafts.list()).toMatchObject([{ name: id, text: "first", rev: 1 }]);
  expect(await save("third", 1)).toEqual({ isSaved: true, rev: 2 });
});
