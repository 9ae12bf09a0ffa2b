import { expect, test } from "bun:test";
import type { Driver, Run } from "@signalbox/host";
import { RecordedDriver } from "../../src/supervise/recorded.ts";

test("a line that does not reach the agent is remarked on, unless it is a message, which waits on", async () => {
  const notes: unknown[] = [];
  const log = {
    add: () => {},
    addMarker: (kind: string) => void notes.push(kind),
    waitForSpace: () => undefined,
  };
  const start = () => Promise.resolve({ send: () => Promise.reject(new Error("gone")) } as never);
  const driver = { name: "of the test", capabilities: {}, start } as unknown as Driver;
  const run: Run = await new RecordedDriver(driver, log).start({ folder: "/" });
  const prompt = { type: "user", message: { role: "user", content: "hi" }, uuid: "u" };
  expect(await run.send(JSON.stringify(prompt)).catch(String)).toContain("gone");
  expect(notes).toEqual([]);
  expect(await run.send('{"type":"control_request"}').catch(String)).toContain("gone");
  expect(notes).toEqual(["remark"]);
});
