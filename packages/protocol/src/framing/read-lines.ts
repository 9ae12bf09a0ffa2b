import { releaseMemory } from "./byte-store.ts";
import type { Line } from "./line.ts";
import { LineSplitter } from "./line-splitter.ts";

/**
 * The lines of a byte stream, as many at a time as a chunk brought: handing them over one by one
 * costs as much again as parsing them. Asking for the next batch is what makes room for more bytes.
 * The chunks are used up: whoever provides them must not look at them again.
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
