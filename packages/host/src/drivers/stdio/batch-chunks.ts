import { setTimeout as sleep } from "node:timers/promises";

/** Larger chunks are not waited for: whoever sends so much at once sends more. */
const LARGE = 64 * 1024;
const GATHER_MS = 8;

/**
 * An agent that streams writes a line at a time, thousands in a second, and each read costs more than all
 * that is done with the line. After a small chunk the next is taken a little later, with what has come
 * by then. The first one after a silence never waits.
 */
export async function* batchChunks(
  chunks: AsyncIterable<Uint8Array>,
  pause: () => Promise<void> = () => sleep(GATHER_MS),
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const chunk of chunks) {
    const { length } = chunk; // whoever takes it may use it up, and then it has none
    yield chunk;
    if (length < LARGE) await pause();
  }
}
