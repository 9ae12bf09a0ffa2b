import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import type { ReadStream } from "node:tty";
import { TypedKeys } from "../../src/terminal/typed-keys.ts";

/** Returns the output for what a terminal sends, piece by piece. */
async function readKeys(...pieces: readonly string[]): Promise<string> {
  const terminal = new PassThrough();
  const keys = new TypedKeys(terminal as unknown as ReadStream);
  for (const piece of pieces) terminal.write(piece);
  terminal.end();
  let text = "";
  for await (const bytes of keys) text += String(bytes);
  return text;
}

test("[AG44] a paste is one text with its lines; Enter submits, and Ctrl-J adds a line end", async () => {
  expect(await readKeys("a\r")).toBe("a\r");
  expect(await readKeys("a\nb\r")).toBe("a⏎b\r");
  expect(await readKeys("x\u001b[200~one\rtwo\r\nthree\u001b[201~y\r")).toBe("xone⏎two⏎threey\r");
});

test("[AG44] paste marks may arrive in pieces; other keys are passed on unchanged", async () => {
  expect(await readKeys("\u001b[2", "00~one\r", "two\u001b[20", "1~\r")).toBe("one⏎two\r");
  expect(await readKeys("\u001b", "\u001b[A", "\u001b[3~")).toBe("\u001b\u001b[A\u001b[3~");
});
