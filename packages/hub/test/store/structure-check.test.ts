import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@signalbox/hub/store";
import { until } from "@signalbox/testing/until";
import { audit, item, line, openFolder, session } from "./rows.ts";

setDefaultTimeout(180_000);

const COUNT = 400;

async function written(folder: string, text = "x".repeat(300)): Promise<string> {
  await using store = await openStore(folder);
  const changes = Array.from({ length: COUNT }, (_, at) => [
    line("a", at + 1, { text: JSON.stringify(text) }),
    item("a", at + 1),
    audit("made", { at }),
  ]);
  await store.commit([session("a"), ...changes.flat()]);
  return join(folder, "signalbox.sqlite");
}

/** Overturns a byte in so many places of the file, spread evenly; the first page is left alone. */
function flip(file: string, places: number): void {
  const bytes = readFileSync(file);
  const room = bytes.length - 4096;
  for (let nth = 0; nth < places; nth++) {
    const at = 4096 + Math.floor(((nth + 0.5) * room) / places);
    bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  }
  writeFileSync(file, bytes);
}

/** Pages of lines, which were written first, lose their heads: what they hold cannot be found any more. */
function spoilLines(file: string): void {
  const bytes = readFileSync(file);
  for (let page = 60; page < 70; page++) bytes.fill(0xff, page * 4096, page * 4096 + 12);
  writeFileSync(file, bytes);
}

test("[LG23] bytes that are flipped in a hundred places are reported at the start, before a write reaches them", async () => {
  await using folder = await openFolder();
  const file = await written(folder.path);
  flip(file, 100);
  const before = readFileSync(file);
  {
    await using store = await openStore(folder.path);
    expect(store.health).toMatchObject({ writable: false, why: "damaged" });
    expect(store.health.writable ? "" : store.health.detail).toContain("signalbox restore");
    const failure = await store.commit([session("b")]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ why: "damaged" });
  }
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("[LG23] a damaged page is reported at the start although nobody reads it", async () => {
  await using folder = await openFolder();
  spoilLines(await written(folder.path));
  await using store = await openStore(folder.path);
  expect(store.health).toMatchObject({ writable: false, why: "damaged" });
  expect(store.lastCheck?.problems.length).toBeGreaterThan(0);
});

test("[LG23] a damaged page is reported while the hub runs, by the regular check", async () => {
  await using folder = await openFolder();
  const file = await written(folder.path);
  await using sound = await openFolder();
  copyFileSync(file, join(sound.path, "before"));
  await using store = await openStore(folder.path, { checkMs: 50 });
  expect(store.health).toEqual({ writable: true });
  const first = store.lastCheck?.at ?? Number.NaN;
  expect(store.lastCheck?.problems).toEqual([]);
  // By another process: opening the file in this one would end the store's locks.
  const pages = readFileSync(join(sound.path, "before")).length / 4096;
  const seek = `seek=${Math.floor(pages / 2)}`;
  const spoil = [
    "dd",
    "if=/dev/urandom",
    `of=${file}`,
    "bs=4096",
    "count=20",
    "conv=notrunc",
    seek,
  ];
  Bun.spawnSync(spoil, { stderr: "ignore" });
  await until("the check has found it", () => !store.health.writable);
  expect(store.health).toMatchObject({ why: "damaged" });
  expect(store.lastCheck?.at).toBeGreaterThanOrEqual(first);
});

test("[LG23] a large database is checked while the hub already works", async () => {
  await using folder = await openFolder();
  const file = await written(folder.path, "y".repeat(30_000 / 3));
  {
    await using store = await openStore(folder.path);
    for (let round = 0; round < 40; round++) {
      const bytes = new Uint8Array(1024 * 1024).fill(round);
      await store.commit([
        { kind: "blob", session: "a", hash: String(round).padStart(64, "0"), bytes },
      ]);
    }
  }
  {
    await using store = await openStore(folder.path);
    expect(store.lastCheck).toBeUndefined(); // the start did not wait for it
    await until("the check is over", () => store.lastCheck);
    expect(store.lastCheck?.problems).toEqual([]);
    expect(store.health).toEqual({ writable: true });
  }
  spoilLines(file);
  await using store = await openStore(folder.path);
  await until("the damage is known", () => !store.health.writable);
  expect(store.health).toMatchObject({ why: "damaged" });
});
