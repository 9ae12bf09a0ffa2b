import { expect, test } from "bun:test";
import { killAndLook, look } from "../log/kill-rounds.ts";
import { openFolder } from "../log/rows.ts";
import { hasStrace, makeStore, traced } from "./trace.ts";

const ROUNDS = 200;

test("[LG8] killed at 200 random moments, no commit is lost, doubled or reordered", async () => {
  const seed = Date.now() % 2 ** 31;
  console.log(`seed ${seed}`);
  const random = mulberry(seed);
  for (let round = 0; round < ROUNDS;) {
    await using folder = await openFolder(); // anew now and then, so that looking stays quick
    let found = { commits: 0, lines: 0 };
    for (const end = round + 20; round < end; round++) {
      found = await killAndLook(folder.path, found, 1 + Math.floor(random() * 60));
    }
  }
});

test.if(hasStrace)("[LG8] killed at one of its first writes, no commit is lost", () =>
  killAtCalls("pwrite64", 4),
);

test.if(hasStrace)("[LG8] killed at one of its first syncs, no commit is lost", () =>
  killAtCalls("fsync,fdatasync", 1),
);

async function killAtCalls(calls: string, step: number): Promise<void> {
  for (let nth = 1; nth <= 20 * step; nth += step) {
    await using folder = await openFolder();
    await makeStore(folder.path);
    const inject = `${calls}:signal=KILL:when=${nth}`;
    const { news } = await traced(inject, "../log/numbered-writer.ts", [folder.path]);
    const found = await look(folder.path);
    expect(found.commits).toBeGreaterThanOrEqual(Number(news.at(-1) ?? 0));
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
