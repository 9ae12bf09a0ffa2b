import { hasStrace } from "@signalbox/testing/machine";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openStore } from "@signalbox/hub/store";
import { killWriter, look } from "../store/kill-rounds.ts";
import { openFolder } from "../store/rows.ts";
import { GIGABYTE_LINES } from "./gigabyte.ts";
import { makeStore, traced } from "./trace.ts";

const ROUNDS = 1000;
const ROUNDS_A_FOLDER = 50;
const NONE = { lost: 0, doubled: 0, reordered: 0 };

test("[LG8] killed at 1,000 random moments, no commit is lost, doubled or reordered", async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const random = mulberry(seed);
  const all = { kills: 0, resolved: 0, commits: 0, lost: 0, doubled: 0, reordered: 0 };
  for (let round = 0; round < ROUNDS;) {
    await using folder = await openFolder(); // anew now and then, so that looking stays quick
    let last = 0;
    for (const end = round + ROUNDS_A_FOLDER; round < end; round++) {
      last = await killWriter(folder.path, last, 1 + Math.floor(random() * 60));
    }
    const found = await look(folder.path, last);
    all.kills = round;
    all.resolved += last;
    for (const of of ["commits", "lost", "doubled", "reordered"] as const) all[of] += found[of];
    console.log(JSON.stringify(all));
  }
  expect(all.commits).toBeGreaterThanOrEqual(all.resolved);
  expect(all).toMatchObject({ kills: ROUNDS, ...NONE });
}, 3_600_000);

test.if(hasStrace)(
  "[LG8] killed at each of its first 80 writes, no commit is lost",
  () => killAtCalls("pwrite64", 80),
  3_600_000,
);

test.if(hasStrace)(
  "[LG8] killed at each of its first 20 syncs, no commit is lost",
  () => killAtCalls("fsync,fdatasync", 20),
  3_600_000,
);

test("[LG8] killed with a gigabyte written, the store is ready within 5 s", async () => {
  await using folder = await openFolder();
  const script = join(import.meta.dir, "gigabyte-writer.ts");
  const child = Bun.spawn([process.execPath, script, folder.path], { stdout: "pipe" });
  let written = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    written += decoder.decode(chunk, { stream: true });
    if (written.includes("gigabyte")) child.kill("SIGKILL");
  }
  await child.exited;
  const since = performance.now();
  await using store = await openStore(folder.path);
  const last = await store.linesBefore("s", undefined, 1);
  const readyMs = Math.round(performance.now() - since);
  console.log(JSON.stringify({ readyMs, lines: last[0]?.pos }));
  expect(last[0]?.pos).toBeGreaterThanOrEqual(GIGABYTE_LINES);
  expect(readyMs).toBeLessThan(5000);
}, 3_600_000);

async function killAtCalls(calls: string, count: number): Promise<void> {
  for (let nth = 1; nth <= count; nth++) {
    await using folder = await openFolder();
    await makeStore(folder.path);
    const inject = `${calls}:signal=KILL:when=${nth}`;
    const { news } = await traced(inject, "../log/numbered-writer.ts", [folder.path]);
    const resolved = Number(news.at(-1) ?? 0);
    const { commits, ...troubles } = await look(folder.path, resolved);
    expect(commits).toBeGreaterThanOrEqual(resolved);
    expect(troubles).toEqual(NONE);
  }
}

/** A small generator of random numbers that can be begun again at the same place. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
