import type { Line } from "./line.ts";
import { LineSplitter } from "./line-splitter.ts";

/** The lines of a byte stream. Asking for the next line is what makes room for more bytes. */
export async function* lines(
  bytes: AsyncIterable<Uint8Array>,
  options: { limit?: number } = {},
): AsyncGenerator<Line, void, undefined> {
  const splitter = new LineSplitter(options.limit);
  for await (const chunk of bytes) yield* splitter.push(chunk);
  yield* splitter.end();
}
