import { expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startHub } from "@signalbox/hub";
import { hubDescriptor } from "@signalbox/api/schemas";
import { CLIENTS, crowd } from "@signalbox/testing/crowd";
import { until } from "@signalbox/testing/until";

/** How much of a core this process uses in the meantime. */
async function busyShare(ms: number): Promise<number> {
  const since = performance.now();
  const before = process.cpuUsage();
  await Bun.sleep(ms);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - since);
}

const descriptors = () => readdirSync("/proc/self/fd").length;

/** A socket each, what calls leave open for a while, and not enough for another crowd beside this one. */
const MAX_DESCRIPTORS = CLIENTS + 700;

function limitDescriptors(most: number): void {
  const args = ["--pid", String(process.pid), `--nofile=${most}:`];
  expect(spawnSync("prlimit", args).status).toBe(0);
}

test("[HH24] a thousand clients hear twenty changes a second within 250 ms, come back after a restart within 10 s, then leave the hub idle, and nothing open", async () => {
  const data = mkdtempSync(join(tmpdir(), "signalbox-crowd-"));
  // All of them are one device here.
  const limits = { streams: 2 * CLIENTS, requestBurst: 20 * CLIENTS };
  const start = (port: number) => startHub({ data, version: "0.0.0", port, limits });
  let hub = await start(20_000 + Math.floor(Math.random() * 12_000));
  const person = { device: randomUUID(), name: "desk", role: "admin" } as const;
  const { id } = await hub.engine.sessions.create(
    randomUUID(),
    { folder: data, title: "0" },
    person,
  );
  const rename = (title: string) => hub.engine.sessions.change(id, { title }, person);
  const token = readFileSync(join(data, "command-line.key"), "utf8").trim();
  const { hub: hubId, key: hubKey } = hubDescriptor.parse(
    JSON.parse(readFileSync(join(data, "hub.json"), "utf8")),
  );
  limitDescriptors(MAX_DESCRIPTORS);
  const before = descriptors();
  const { next, ask, child } = crowd(hub.url, `${token} ${hubId} ${hubKey}`, id);
  expect(await next()).toEqual({ connected: CLIENTS });

  for (let nth = 0; nth < 100; nth++) {
    await rename(String(Date.now()));
    await Bun.sleep(50);
  }
  const last = String(Date.now());
  await rename(last);
  await ask(`until ${last}`);
  const { seen, p99 } = await ask<{ seen: number; p99: number }>("report");
  console.log(
    JSON.stringify({ seen, p99, rssMiB: Math.round(process.memoryUsage.rss() / 2 ** 20) }),
  );
  expect(p99).toBeLessThan(250);
  expect(process.memoryUsage.rss()).toBeLessThan(300 * 2 ** 20);

  const { port } = hub;
  await hub.stop();
  hub = await start(port);
  const restarted = Date.now();
  const after = String(restarted);
  await rename(after);
  const { at } = await ask<{ at: number }>(`until ${after}`);
  console.log(JSON.stringify({ allBackMs: at - restarted }));
  expect(at - restarted).toBeLessThan(10_000);
  while ((await busyShare(1000)) > 0.1) continue; // the hub, which runs in here, has nothing to do any more

  await child.stdin.write("leave\n");
  await child.stdin.end();
  await child.exited;
  await until(() => descriptors() <= before);

  // Had the first crowd left anything open, there were no room for a second one.
  const others = crowd(hub.url, `${token} ${hubId} ${hubKey}`, id);
  expect(await others.next()).toEqual({ connected: CLIENTS });
  await others.child.stdin.write("leave\n");
  await others.child.stdin.end();
  await others.child.exited;
  await until(() => descriptors() <= before);
  await hub.stop();
  rmSync(data, { recursive: true });
});
