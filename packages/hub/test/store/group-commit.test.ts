import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "@signalbox/hub/store";
import { audit, openFolder, session } from "./rows.ts";
import { countTransactions } from "./wal.ts";

setDefaultTimeout(180_000);

test("[LG3] a thousand simultaneous commits are one or two transactions", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  const wal = join(folder.path, "signalbox.sqlite-wal");
  await store.commit([session("a")]);
  const before = countTransactions(wal);
  await store.commit([audit("made")]);
  expect(countTransactions(wal) - before).toBe(1);
  const many = Array.from({ length: 1000 }, (_, at) => store.commit([audit("made", { at })]));
  await Promise.all(many);
  expect(countTransactions(wal) - before).toBeLessThanOrEqual(3);
  expect(await store.audit(0, 2000)).toHaveLength(1001);
});

test("[LG3] commits that arrive while the writer is busy are the next transaction", async () => {
  await using folder = await openFolder();
  await using store = await openStore(folder.path);
  const wal = join(folder.path, "signalbox.sqlite-wal");
  await store.commit([session("a")]);
  const before = countTransactions(wal);
  const all: Promise<void>[] = [];
  for (let round = 0; round < 20; round++) {
    const first = store.commit([audit("first", { round })]);
    const more = Array.from({ length: 9 }, (_, at) => store.commit([audit("more", { at })]));
    all.push(first, ...more);
    await first;
    all.push(store.commit([audit("late", { round })])); // joins the next round
  }
  await Promise.all(all);
  expect(countTransactions(wal) - before).toBeLessThanOrEqual(21);
});
