import { setTimeout as sleep } from "node:timers/promises";

/** Larger chunks are not waited for: whoever sends so much at once sends more. */
const LARGE = 8 * 1024;
const GATHER_MS = 8;

/**
 * An agent that streams writes a line at a time, thousands in a second, and each read costs more than all
 * that is done with the line. After a small chunk the next is taken a little later, with what has come
 * by then. The first one after a silence never waits.
 */
export async function* gathered(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    yield chunk;
    if (chunk.length < LARGE) await sleep(GATHER_MS);
  }
}
