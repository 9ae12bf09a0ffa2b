import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { pipedText } from "../../src/command-line/piped-text.ts";

test("[AG38] what is piped in is read to its end, however late that is", async () => {
  const [stream, warnings] = [new PassThrough(), [] as string[]];
  const text = pipedText(stream, true, (sentence) => warnings.push(sentence), 20);
  stream.write("one ");
  await Bun.sleep(60); // This is longer than the wait for a silent pipe.
  stream.end("two");
  expect(await text).toBe("one two");
  expect(warnings).toEqual([]);
});

test("[AG38] a pipe into which nobody writes and that nobody closes is not waited for beside a prompt", async () => {
  const warnings: string[] = [];
  const text = await pipedText(new PassThrough(), true, (sentence) => warnings.push(sentence), 20);
  expect(text).toBe("");
  expect(warnings).toEqual([expect.stringContaining("nothing came on stdin")]);
});
