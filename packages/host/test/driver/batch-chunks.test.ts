import { expect, test } from "bun:test";
import { releaseMemory } from "../../../protocol/src/framing/byte-store.ts";
import { batchChunks } from "../../src/drivers/stdio/batch-chunks.ts";

const LARGE = 64 * 1024;

test("it pauses after a small chunk, and not after a large one, even if that was used up", async () => {
  let pauses = 0;
  const seen: [length: number, pausesBefore: number][] = [];
  for await (const chunk of batchChunks(sizes(10, LARGE, LARGE, LARGE - 1, LARGE), pause)) {
    seen.push([chunk.length, pauses]);
    releaseMemory(chunk);
  }
  expect(seen).toEqual([
    [10, 0],
    [LARGE, 1],
    [LARGE, 1],
    [LARGE - 1, 1],
    [LARGE, 2],
  ]);

  async function pause(): Promise<void> {
    pauses++;
  }
});

async function* sizes(...lengths: number[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const length of lengths) yield new Uint8Array(length);
}
