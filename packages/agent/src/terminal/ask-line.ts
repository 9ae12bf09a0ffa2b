import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Asks until the answer is understood. Resolves to undefined if the person leaves. */
export async function askLine<T>(
  question: string,
  { input, output }: Streams,
  understand: (reply: string) => { readonly value: T } | undefined,
): Promise<T | undefined> {
  const lines = createInterface({ input, output });
  const left = new AbortController();
  lines.on("close", () => left.abort());
  lines.on("SIGINT", () => lines.close());
  try {
    for (;;) {
      const understood = understand((await lines.question(question, left)).trim());
      if (understood) return understood.value;
    }
  } catch {
    output.write("\n");
    return undefined;
  } finally {
    lines.close();
  }
}
