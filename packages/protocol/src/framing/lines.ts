import type { Line } from "./line.ts";
import { LineSplitter } from "./line-splitter.ts";

/**
 * The lines of a byte stream, as many at a time as a chunk brought: handing them over one by one
 * costs as much again as parsing them. Asking for the next batch is what makes room for more bytes.
 */
export async function* lines(
  bytes: AsyncIterable<Uint8Array>,
  options: { limit?: number } = {},
): AsyncGenerator<readonly Line[], void, undefined> {
  const splitter = new LineSplitter(options.limit);
  for await (const chunk of bytes) {
    const batch = splitter.push(chunk);
    free(chunk);
    if (batch.length > 0) yield batch;
  }
  const last = splitter.end();
  if (last.length > 0) yield last;
}

/**
 * Gives a chunk's memory back now: nothing points into it, and the collector, which does not see how
 * large it is, would let a hundred megabytes of read chunks pile up. (Node 20 cannot; there it waits.)
 */
function free({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer?.(0);
}
