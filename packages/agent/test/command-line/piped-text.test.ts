import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { Clock } from "@signalbox/testing/clock";
import { until } from "@signalbox/testing/until";
import { pipedText } from "../../src/command-line/piped-text.ts";

test("[AG38] piped input is read to its end, even if it comes late", async () => {
  using clock = new Clock();
  const [stream, warnings] = [new PassThrough(), [] as string[]];
  const patienceMs = 86_400_001;
  const text = pipedText(stream, true, (sentence) => warnings.push(sentence), patienceMs);
  expect(clock.pending(patienceMs)).toHaveLength(1);
  stream.write("one ");
  await until(
    "the pipe is waited for without a limit",
    () => clock.pending(patienceMs).length === 0,
  );
  stream.end("two");
  expect(await text).toBe("one two");
  expect(warnings).toEqual([]);
});

test("[AG38] with a prompt, an open pipe without data is not waited for", async () => {
  const warnings: string[] = [];
  const text = await pipedText(new PassThrough(), true, (sentence) => warnings.push(sentence), 20);
  expect(text).toBe("");
  expect(warnings).toEqual([expect.stringContaining("nothing came on stdin")]);
});
