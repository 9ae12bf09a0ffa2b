import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore, StoreError } from "@signalbox/hub/store";
import { audit, item, line, openFolder, session } from "./rows.ts";

setDefaultTimeout(180_000);

const COUNT = 200;

async function written(folder: string): Promise<string> {
  await using store = await openStore(folder);
  const changes = Array.from({ length: COUNT }, (_, at) => [
    line("a", at + 1, { text: JSON.stringify("x".repeat(300)) }),
    item("a", at + 1),
    audit("made", { at }),
  ]);
  await store.commit([session("a"), ...changes.flat()]);
  return join(folder, "signalbox.sqlite");
}

test.each([
  [
    "is not a database",
    (file: string) => writeFileSync(file, "not a database at all".repeat(1000)),
  ],
  ["was cut in its first page", (file: string) => truncateSync(file, 1000)],
  ["lost its second half", (file: string) => truncateSync(file, readFileSync(file).length >> 1)],
] as const)(
  "[LG15] a database that %s is left unchanged, and the store opens for reading",
  async (_, damage) => {
    await using folder = await openFolder();
    const file = await written(folder.path);
    damage(file);
    const before = readFileSync(file);
    {
      await using store = await openStore(folder.path);
      expect(store.health).toMatchObject({ writable: false, why: "damaged" });
      expect(store.health.writable ? "" : store.health.detail).toContain(file);
      expect(await store.sessions().catch((error: unknown) => error)).toEqual([]);
      const failure: unknown = await store.commit([session("b")]).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StoreError);
      expect((failure as StoreError).why).toBe("damaged");
    }
    expect(readFileSync(file).equals(before)).toBe(true);
  },
);

test("[LG15] flipped bits are reported or harmless, and never end the hub", async () => {
  await using folder = await openFolder();
  const file = await written(folder.path);
  const sound = readFileSync(file);
  let noticed = 0;
  for (let round = 0; round < 24; round++) {
    const bytes = Buffer.from(sound);
    const at = Math.floor((round * sound.length) / 24) + round; // headers and bodies of pages
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (round % 8));
    writeFileSync(file, bytes);
    for (const end of ["-wal", "-shm"]) rmSync(`${file}${end}`, { force: true });
    await using store = await openStore(folder.path);
    const reads = await Promise.allSettled([
      store.linesAfter("a", 0, COUNT),
      store.itemsBefore("a", undefined, COUNT),
      store.verifyAudit(),
      store.checkIntegrity(),
    ]);
    const [, , verdict, found] = reads;
    for (const read of reads)
      if (read.status === "rejected") expect(read.reason).toBeInstanceOf(StoreError);
    const broken = verdict.status === "fulfilled" && verdict.value.broken !== undefined;
    const unsound = found.status === "rejected" || found.value.length > 0;
    if (broken || unsound || !store.health.writable) noticed += 1;
  }
  expect(noticed).toBeGreaterThan(0);
});

test("a database whose write-ahead log was truncated opens with the complete commits", async () => {
  await using folder = await openFolder();
  await using copy = await openFolder();
  const file = await written(folder.path);
  await using store = await openStore(folder.path);
  for (let at = 1; at <= 20; at++) await store.commit([line("a", COUNT + at)]);
  const database = readFileSync(file);
  const log = readFileSync(`${file}-wal`);
  for (const cut of [0, 10, 32, 2000, Math.floor(log.length / 2), log.length - 1, log.length]) {
    writeFileSync(join(copy.path, "signalbox.sqlite"), database);
    writeFileSync(join(copy.path, "signalbox.sqlite-wal"), log.subarray(0, cut));
    await using half = await openStore(copy.path);
    expect(half.health).toEqual({ writable: true });
    const lines = await half.linesAfter("a", 0, 1000);
    expect(lines.map(({ pos }) => pos)).toEqual(lines.map((_, at) => at + 1));
    expect(lines.length).toBeGreaterThanOrEqual(COUNT);
    if (cut === log.length) expect(lines).toHaveLength(COUNT + 20);
    expect(await half.checkIntegrity()).toEqual([]);
  }
});
