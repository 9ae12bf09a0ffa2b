import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import type { Order } from "@signalbox/api/link";
import { onWake } from "@signalbox/host/system";
import { LineBuffer } from "../../src/link/line-buffer.ts";
import { HubLink } from "../../src/link/hub-link.ts";
import { SilenceMonitor } from "../../src/link/silence-monitor.ts";
import { defaultLimits } from "../../src/link/session-buffer.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { FakeHub } from "./fake-hub.ts";
import { until } from "@signalbox/testing/until";
import { provingHub } from "@signalbox/testing/proving-hub";

setDefaultTimeout(180_000);

/** A ledger and a link to a hub, without any agent. */
function openLink(limits = {}, tickMs?: number) {
  const folder = tempFolder();
  const hub = new FakeHub();
  const ledger = new LineBuffer(folder.path, { ...defaultLimits, ...limits });
  const orders: { id: string; order: Order }[] = [];
  const troubles: string[] = [];
  const link = new HubLink({
    findHub: hub.proving.find(hub.url),
    key: hub.proving.key,
    isLocal: true,
    buffer: ledger,
    hello: () => ({ runner: "r", machine: "m", process: "p", runs: [] }),
    onOrder: (id, order) => {
      orders.push({ id, order });
      link.report({ type: "done", id, result: orders.length });
    },
    onTrouble: (why) => troubles.push(why),
    ...(tickMs !== undefined && { tickMs }),
  });
  link.start();
  return {
    hub,
    ledger,
    link,
    orders,
    troubles,
    spilled: () => readdirSync(join(folder.path, "spill")),
    async [Symbol.asyncDispose]() {
      await link.stop();
      ledger.close();
      await hub[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Stands between runner and hub, and can let a connection hang. */
async function openProxy() {
  const hub = new FakeHub();
  const target = Number(new URL(hub.url).port);
  const pairs: { frozen: boolean }[] = [];
  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    const pair = { frozen: false };
    pairs.push(pair);
    near.on("data", (bytes) => pair.frozen || far.write(bytes)).on("error", () => {});
    far.on("data", (bytes) => pair.frozen || near.write(bytes)).on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    hub,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    freeze: () => pairs.forEach((pair) => (pair.frozen = true)),
    async [Symbol.asyncDispose]() {
      server.close();
      await hub[Symbol.asyncDispose]();
    },
  };
}

const numbered = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `{"n":${index + from}}`);

const askFiles: Order = { kind: "find-files", folder: "/", query: "" };

describe("the link", () => {
  test("[LK1] lines of all kinds arrive in the order in which they were written down, after those that the hub already has", async () => {
    await using stage = openLink();
    const { hub, ledger } = stage;
    const log = ledger.open("s", "run", 0);
    log.add("host", ["asked"]);
    log.add("agent", ["answered", "more"]);
    log.addMarker("remark", { level: "info", text: "noted" });
    await hub.until(() => hub.lines("s").length === 4);
    expect(hub.lines("s").map(({ from }) => from)).toEqual(["host", "agent", "agent", "keeper"]);
    ledger.closeRun("s");
    const next = ledger.open("s", "run-2", 4);
    next.add("agent", ["of the next run"]);
    await hub.until(() => hub.lines("s").length === 5);
    expect(hub.lines("s").at(-1)).toMatchObject({ seq: 5, run: "run-2" });
  });

  test("[LK4] every line arrives once and in order although the link is interrupted again and again", async () => {
    await using stage = openLink();
    const { hub, ledger } = stage;
    const log = ledger.open("s", "run", 0);
    const total = 10_000;
    for (let n = 0; n < 20; n++) {
      log.add("agent", numbered(total / 20, (n * total) / 20 + 1));
      await hub.connected();
      if (n % 3 === 0) hub.silent = !hub.silent;
      if (n % 2 === 0) await Bun.sleep(1);
      hub.cut();
    }
    hub.silent = false;
    await hub.until(() => hub.lines("s").length === total);
    expect(hub.texts("s", "agent")).toEqual(numbered(total));
    expect(hub.gaps).toBe(0);
  });

  test("[LK5] while the hub is away lines are kept on the disk, and they are sent when it is back", async () => {
    await using stage = openLink();
    const { hub, ledger } = stage;
    await hub.connected();
    await hub.away();
    const log = ledger.open("s", "run", 0);
    log.add("agent", numbered(1000));
    await until(() => stage.spilled().length > 0);
    log.add("agent", numbered(1000, 1001));
    hub.back();
    await hub.until(() => hub.lines("s").length === 2000);
    expect(hub.texts("s", "agent")).toEqual(numbered(2000));
    await until(() => stage.spilled().length === 0);
  });

  test("[LK6] if the hub does not acknowledge, a limited number of lines stays in memory, the rest goes to the disk, and nothing is lost", async () => {
    await using stage = openLink({ memory: 50_000, window: 10_000 });
    const { hub, ledger } = stage;
    await hub.connected();
    hub.silent = true;
    const log = ledger.open("s", "run", 0);
    for (let n = 0; n < 100; n++) log.add("agent", numbered(100, n * 100 + 1));
    expect(stage.spilled().length).toBe(1);
    await hub.until(() => hub.lines("s").length > 0);
    hub.silent = false;
    hub.acknowledgeAll();
    await hub.until(() => hub.lines("s").length === 10_000);
    expect(hub.texts("s", "agent")).toEqual(numbered(10_000));
    expect([hub.gaps, hub.doubled]).toEqual([0, 0]);
  });

  test("[LK14] a session that prints a flood of lines does not delay another", async () => {
    await using stage = openLink({ window: 4 << 20 });
    const { hub, ledger } = stage;
    await hub.connected();
    hub.silent = true; // what is sent stays on its way
    const flood = ledger.open("flood", "run", 0);
    for (let n = 0; n < 40; n++) flood.add("agent", ["x".repeat(500_000)]);
    await hub.until(() => hub.lines("flood").length > 0);
    ledger.open("calm", "run", 0).add("agent", ["here"]);
    await hub.until(() => hub.lines("calm").length === 1);
    expect(hub.lines("flood").length).toBeLessThan(40);
    hub.silent = false;
    hub.acknowledgeAll();
    await hub.until(() => hub.lines("flood").length === 40);
  });

  test("lines that arrive together are sent together", async () => {
    await using stage = openLink();
    const { hub, ledger } = stage;
    await hub.connected();
    const before = hub.frames;
    const log = ledger.open("s", "run", 0);
    for (const line of numbered(10_000)) log.add("agent", [line]);
    await hub.until(() => hub.lines("s").length === 10_000);
    expect(hub.frames - before).toBeLessThan(10);
  });

  test("[LK12] each connection has a higher generation", async () => {
    await using stage = openLink();
    const { hub } = stage;
    for (let n = 1; n <= 3; n++) {
      await hub.until(() => hub.hellos.length === n);
      hub.cut();
    }
    await hub.until(() => hub.hellos.length === 4);
    const generations = hub.hellos.map(({ generation }) => generation);
    expect(generations).toEqual(generations.toSorted((a, b) => a - b));
    expect(new Set(generations).size).toBe(4);
  });

  test("[LK12] a hub that refuses the link is dialed again, and the reason is reported", async () => {
    using folder = tempFolder();
    await using hub = new FakeHub();
    const ledger = new LineBuffer(folder.path);
    const told = Promise.withResolvers<string>();
    const link = new HubLink({
      findHub: hub.proving.find(hub.url),
      key: provingHub().key,
      isLocal: true,
      buffer: ledger,
      hello: () => ({ runner: "r", machine: "m", process: "p", runs: [] }),
      onOrder: () => {},
      onTrouble: told.resolve,
    });
    link.start();
    expect(await told.promise).toContain("Couldn't reach the hub");
    expect(link.isConnected).toBe(false);
    await link.stop();
  });

  test("[LK10] the outcome of an order is kept until there is a connection", async () => {
    await using stage = openLink();
    const { hub, link } = stage;
    await hub.connected();
    await hub.away();
    await until(() => !link.isConnected);
    link.report({ type: "done", id: "late", result: "kept" });
    hub.back();
    expect(await hub.done("late")).toMatchObject({ result: "kept" });
  });

  test("[LK11] an order that this build cannot read is refused, and other frames of a newer hub are ignored", async () => {
    await using stage = openLink();
    const { hub } = stage;
    await hub.sendText(JSON.stringify({ type: "from the future" }));
    await hub.sendText("not JSON");
    await hub.sendText(JSON.stringify({ type: "order", id: "o1", order: { kind: "dance" } }));
    expect(await hub.done("o1")).toMatchObject({ problem: { code: "unknown-order" } });
    expect((await hub.order(askFiles, "o2")).result).toBe(1);
  });

  test("[LK13] a hub that sends nothing any more is considered dead and dialed again", async () => {
    using folder = tempFolder();
    await using proxy = await openProxy();
    const { hub } = proxy;
    const ledger = new LineBuffer(folder.path);
    const troubles: string[] = [];
    const link = new HubLink({
      findHub: hub.proving.find(proxy.url),
      key: hub.proving.key,
      isLocal: true,
      buffer: ledger,
      hello: () => ({ runner: "r", machine: "m", process: "p", runs: [] }),
      onOrder: () => {},
      onTrouble: (why) => troubles.push(why),
      tickMs: 20,
    });
    link.start();
    await hub.connected();
    proxy.freeze(); // as if the cable had been pulled: nothing is closed, nothing passes
    await hub.until(() => hub.hellos.length > 1);
    expect(troubles).toContain("The hub is not responding.");
    await link.stop();
  });

  test("[LK13] silence is counted in checks, not in time, so a runner that was paused does not consider the hub dead", async () => {
    const seen: string[] = [];
    const dead = Promise.withResolvers<void>();
    const liveness = new SilenceMonitor(
      {
        quiet: () => seen.push("quiet"),
        dead: () => {
          seen.push("dead");
          dead.resolve();
        },
      },
      20,
    );
    Bun.sleepSync(1500); // 75 ticks, as if this process had been stopped
    await Bun.sleep(0);
    expect(seen).not.toContain("dead");
    await dead.promise;
    liveness.stop();
    expect(seen).toEqual(["quiet", "dead"]);
  });

  test("[LK30] after a sleep the hub is dialed at once, and a dead connection is replaced, a living one is not", async () => {
    using folder = tempFolder();
    await using living = await openProxy();
    await using dead = await openProxy();
    const [there, gone] = [living, dead].map(({ hub, url }, nth) => {
      const link = new HubLink({
        findHub: hub.proving.find(url),
        key: hub.proving.key,
        isLocal: false,
        buffer: new LineBuffer(join(folder.path, String(nth))),
        hello: () => ({ runner: "r", machine: "m", process: "p", runs: [] }),
        onOrder: () => {},
        tickMs: 500,
      });
      link.start();
      return link;
    }) as [HubLink, HubLink];
    for (const { hub } of [living, dead]) await hub.connected();
    await until("both links are connected", () => there.isConnected && gone.isConnected);
    dead.freeze();
    there.wake();
    gone.wake();
    await dead.hub.until(() => dead.hub.hellos.length === 2);
    there.wake(); // a probe that had no answer by now would have ended the connection
    await there.stop();
    await gone.stop();
    expect(living.hub.hellos).toHaveLength(1);
  });

  test("[LK30] a pause of this process is noticed", async () => {
    const woke = Promise.withResolvers<void>();
    const watch = onWake(woke.resolve);
    Bun.sleepSync(3500);
    await woke.promise;
    watch.stop();
  });
});
