import { expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import type { FrameToHubOfType } from "@signalbox/api/link";
import { until } from "@signalbox/testing/until";
import { LoadReport } from "../../src/link/load-report.ts";

test("[MC5] the load is reported at once, again while the hub is connected, and by one timer after a reconnect", async () => {
  const frames: FrameToHubOfType<"load">[] = [];
  const report = new LoadReport((frame) => frames.push(frame), 1);
  report.onConnected();
  expect(frames).toMatchObject([{ type: "load", cores: availableParallelism() }]);
  expect(frames[0]?.average).toBeGreaterThanOrEqual(0);
  await until("it is reported again", () => frames.length > 2);
  report.onConnected();
  report.onDisconnected();
  const count = frames.length;
  // A timer that was set afterwards and runs as often shows that none of the report's is left.
  let ticks = 0;
  const later = setInterval(() => (ticks += 1), 1);
  await until("a later timer has run", () => ticks > 3);
  clearInterval(later);
  expect(frames).toHaveLength(count);
});
