import { releaseMemory } from "./byte-store.ts";
import type { Line } from "./line.ts";
import { LineSplitter } from "./line-splitter.ts";

/**
 * Reads the lines of a byte stream in batches, one batch for each chunk: yielding lines one by one
 * costs as much again as parsing them. Asking for the next batch makes room for more bytes. The
 * memory of each chunk is released, so the caller must not use a chunk again.
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  options: { limit?: number } = {},
): AsyncGenerator<readonly Line[], void, undefined> {
  const splitter = new LineSplitter(options.limit);
  for await (const chunk of bytes) {
    const batch = splitter.push(chunk);
    releaseMemory(chunk);
    if (batch.length > 0) yield batch;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}
