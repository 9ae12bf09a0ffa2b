import { expect, test } from "bun:test";
import { Bench, desk, refusal } from "./bench.ts";

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

test("[HB142] drafts that are too long, one or all together, stay on their device", async () => {
  await using bench = await Bench.open();
  const save = (nth: number, length: number, base = 0) => {
    const mentions = [{ source: "s", text: "x".repeat(length) }];
    const name = `new-session/${nth}`;
    return bench.engine.drafts.save({ name, text: "", mentions, attachments: 0, base }, desk);
  };
  const refused = { status: 409, code: "too-many-drafts" };
  const long = 1024 * 1024 - 1000;
  expect(await refusal(save(0, long + 1000))).toEqual(refused);
  for (let nth = 0; nth < 64; nth++) expect(await save(nth, long)).toMatchObject({ isSaved: true });
  expect(await refusal(save(64, long))).toEqual(refused);
  await bench.closeHub();
  await bench.openHub();
  expect(await refusal(save(64, long))).toEqual(refused);
  expect(await save(0, 10, 1)).toEqual({ isSaved: true, rev: 2 });
  expect(await save(64, long)).toMatchObject({ isSaved: true });
  expect(bench.engine.drafts.list()).toHaveLength(65);
});
