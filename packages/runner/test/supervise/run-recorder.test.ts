import { expect, test } from "bun:test";
import { Host } from "@signalbox/host";
import { MemoryDriver } from "@signalbox/testing/memory-driver";
import { RunRecorder } from "../../src/supervise/run-recorder.ts";

test("a line that does not reach the agent is reported by a remark, unless it is a message, which keeps waiting", async () => {
  const notes: unknown[] = [];
  const log = {
    add: () => {},
    addMarker: (kind: string) => void notes.push(kind),
    waitForSpace: () => undefined,
  };
  const driver = new MemoryDriver();
  const observer = new RunRecorder(log);
  await using host = await Host.start(driver, { folder: "/" }, { observer });
  driver.failSends(new Error("gone"));
  expect(await host.prompt({ text: "hi" }).catch(String)).toContain("gone");
  expect(notes).toEqual([]);
  expect(await host.setModel(null).catch(String)).toContain("gone");
  expect(notes).toEqual(["remark"]);
});
