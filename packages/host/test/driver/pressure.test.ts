import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { SignalboxError } from "@signalbox/protocol";
import { transportContract } from "@signalbox/testing/transport-contract";
import { startFake } from "@signalbox/testing/fake-agent";

transportContract("the stdio driver", () => startFake("echo"));

/** Runs a measurement in a process of its own, so that its memory is its own. */
async function measure(script: string): Promise<Record<string, unknown>> {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, script)], { stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  return JSON.parse(text) as Record<string, unknown>;
}

describe("back-pressure", () => {
  test("a gigabyte without a newline keeps the reader under 300 MB, and the next line is read", async () => {
    const seen = await measure("read-a-gigabyte.ts");
    expect(seen).toMatchObject({
      droppedBytes: 1024 ** 3 - 64 * 1024 ** 2,
      keptCharacters: 64 * 1024 ** 2,
      next: '{"type":"status","text":"next line"}',
    });
    expect(seen["peakRssMb"]).toBeLessThan(300);
  }, 180_000);

  test("a process that does not read its input makes the sender wait, and memory does not grow", async () => {
    const seen = await measure("send-to-deaf.ts");
    expect(seen["taken"]).toBeLessThan(8);
    expect(seen["grownMb"]).toBeLessThan(64);
  }, 180_000);

  test("the data that waits for a process that does not read has a limit, and the error says so", async () => {
    await using run = await startFake("does not read", { graceMs: 50 });
    const megabyte = "x".repeat(1024 * 1024);
    const sent = Array.from({ length: 70 }, () =>
      run.send(megabyte).catch((error: unknown) => error),
    );
    const refused = await sent.at(-1);
    expect(SignalboxError.is(refused, "OUTBOX_FULL")).toBe(true);
    expect(String(refused)).toContain("stopped reading");
    await run.close();
    expect(SignalboxError.is(await sent.at(-9), "CONNECTION_CLOSED")).toBe(true);
  });

  test("an answer behind a message of 70 MiB waits for it, and is not refused", async () => {
    await using run = await startFake("does not read", { graceMs: 50 });
    const message = "x".repeat(70 * 1024 * 1024);
    const sent = [message, "x", message, "x"].map((line) =>
      run.send(line).catch((error: unknown) => error),
    );
    await run.close();
    for (const failure of await Promise.all(sent)) {
      expect(SignalboxError.is(failure, "CONNECTION_CLOSED")).toBe(true);
    }
  }, 180_000);
});
