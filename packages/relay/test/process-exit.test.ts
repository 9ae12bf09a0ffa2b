import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

/** Claude Code 2.1.7 gives up five seconds after its line broke: a hub that lingers keeps the next from its port. */
test("[RL12] when a hub with a relay has stopped, its process ends", async () => {
  const data = mkdtempSync(join(tmpdir(), "signalbox-farewell-"));
  const [hub, relay] = ["../../hub/src/hub.ts", "../src/index.ts"].map((path) =>
    JSON.stringify(join(import.meta.dir, path)),
  );
  const script = `
    const { startHub } = await import(${hub});
    const { relayExtension } = await import(${relay});
    const extensions = [relayExtension({ dialIn: {}, discoveryPorts: [] })];
    const options = { data: ${JSON.stringify(data)}, version: "0", port: 0, extensions };
    const running = await startHub(options);
    await running.stop();
  `;
  await using child = Bun.spawn([process.execPath, "-e", script], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const output = Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  await until("the process has ended", () => child.exitCode !== null);
  const [said, complained] = await output;
  expect({ said, complained, code: child.exitCode }).toEqual({
    said: "",
    complained: "",
    code: 0,
  });
  rmSync(data, { recursive: true, force: true, maxRetries: 5 });
});
