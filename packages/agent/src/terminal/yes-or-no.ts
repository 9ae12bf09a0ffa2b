import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** A question that Enter answers with no; undefined: the person left. */
export async function yesOrNo(
  question: string,
  { input, output }: Streams,
): Promise<boolean | undefined> {
  const lines = createInterface({ input, output });
  const left = new AbortController();
  lines.on("close", () => left.abort());
  lines.on("SIGINT", () => lines.close());
  try {
    for (;;) {
      const said = (await lines.question(`${question} [y/N] `, left)).trim();
      if (/^y(?:es)?$/i.test(said)) return true;
      if (/^(?:no?)?$/i.test(said)) return false;
    }
  } catch {
    output.write("\n");
    return undefined;
  } finally {
    lines.close();
  }
}
