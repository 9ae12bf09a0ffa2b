import { expect, test } from "bun:test";
import { connect, type HubClient } from "@signalbox/client";
import { plainSocket } from "./plain-socket.ts";
import { descriptors, percentile, rssMb, watchRss } from "./process-facts.ts";
import { Room } from "./room.ts";
import { freshItems, shown, when } from "./seen.ts";

const MB = 1024 * 1024;

test("a client that does not read while much is said: about 1 MiB waits for it, and others see everything", async () => {
  await using room = await Room.open({ environment: { RECORD: "" } });
  const { id } = await room.session([{ tell: "begin" }]);
  await room.idle(id, 1);
  const reader = room.client();
  using watch = reader.watchSession(id);
  await when(watch, () => watch.view.state === "ready");
  using lazy = await plainSocket(room.admin, id);
  lazy.pause();
  using hub = watchRss(room.hub.pid);
  const before = hub.peakMb;
  const since = performance.now();
  // 200 MB as fast as the agent can.
  await room.send(id, [{ texts: 8000, size: 25_000 }, { tell: "the end" }]);
  await room.idle(id, 2);
  const { rev } = await room.admin.session(id);
  await when(watch, () => watch.view.has?.rev === rev);
  const seconds = (performance.now() - since) / 1000;
  const grownMb = hub.peakMb - before;
  lazy.resume();
  await freshItems(room.client(), id); // a round trip or two later it has what waited for it
  await Bun.sleep(1000);
  const waitedMb = lazy.received / MB;
  console.log(
    JSON.stringify({ mbPerSecond: Math.round(200 / seconds), waitedMb, hubGrownMb: grownMb }),
  );
  expect(waitedMb).toBeLessThan(3);
  expect((await shown(watch)).length).toBeGreaterThan(8000);
}, 900_000);

/** So many clients of one device; each with a link of its own. */
function crowd(room: Room, count: number): HubClient[] {
  return Array.from({ length: count }, () =>
    connect({ url: room.url, token: room.token, schedule: (work) => void setTimeout(work, 5) }),
  );
}
async function together(clients: readonly HubClient[]): Promise<void> {
  const live = (client: HubClient) =>
    when({ subscribe: (listener) => client.onState(listener) }, () => client.state.kind === "live");
  await Promise.all(clients.map(live));
}

test("a thousand clients: everyone is told in time, memory is bounded, and no descriptor is left", async () => {
  await using room = await Room.open({ environment: { RECORD: "" } });
  const { id } = await room.session([{ tell: "begin" }]);
  await room.idle(id, 1);
  const before = { descriptors: descriptors(room.hub.pid), mb: rssMb(room.hub.pid) };
  const clients = crowd(room, 1000);
  const watches = [];
  for (let at = 0; at < clients.length; at += 50) {
    const some = clients.slice(at, at + 50);
    for (const client of some) watches.push(client.watchSession(id));
    await together(some);
  }
  const delays: number[] = [];
  for (const watch of watches) {
    let told = 0;
    watch.subscribe(() => {
      const last = watch.view.item(watch.view.ids.at(-1) ?? "");
      if (last?.kind !== "text" || !last.text.startsWith("at ")) return;
      const at = Number(last.text.slice(3));
      if (at > told) delays.push(Date.now() - at);
      told = Math.max(told, at);
    });
  }
  using hub = watchRss(room.hub.pid);
  await room.send(id, [{ clock: 200, everyMs: 50 }]);
  await room.idle(id, 2);
  const { rev } = await room.admin.session(id);
  await Promise.all(watches.map((watch) => when(watch, () => watch.view.has?.rev === rev)));
  const open = descriptors(room.hub.pid);
  for (const client of clients) client.close();
  for (let tries = 0; tries < 200 && descriptors(room.hub.pid) > before.descriptors + 5; tries++) {
    await Bun.sleep(50);
  }
  const figures = {
    clients: clients.length,
    told: delays.length,
    p50Ms: percentile(delays, 0.5),
    p99Ms: percentile(delays, 0.99),
    hubPeakMb: hub.peakMb,
    descriptors: { before: before.descriptors, open, after: descriptors(room.hub.pid) },
  };
  console.log(JSON.stringify(figures));
  expect(figures.descriptors.after).toBeLessThan(before.descriptors + 10);
  expect(figures.hubPeakMb).toBeLessThan(300);
}, 900_000);

test("a thousand clients whose hub is killed and comes back: all have caught up soon, and it rests again", async () => {
  await using room = await Room.open({ environment: { RECORD: "" } });
  const { id } = await room.session([{ tell: "begin" }]);
  await room.idle(id, 1);
  const clients = crowd(room, 1000);
  const watches = clients.map((client) => client.watchSession(id));
  await together(clients);
  await room.killHub();
  const gone = (client: HubClient) =>
    when({ subscribe: (listener) => client.onState(listener) }, () => client.state.kind !== "live");
  await Promise.all(clients.map(gone));
  await room.startHub();
  const since = performance.now();
  await together(clients);
  const caughtUpMs = Math.round(performance.now() - since);
  await room.untilRunner();
  await room.send(id, [{ tell: "after the storm" }]);
  await room.idle(id, 2);
  const { rev } = await room.admin.session(id);
  await Promise.all(watches.map((watch) => when(watch, () => watch.view.has?.rev === rev)));
  for (const client of clients) client.close();
  console.log(JSON.stringify({ clients: clients.length, caughtUpMs, hubMb: rssMb(room.hub.pid) }));
  expect(caughtUpMs).toBeLessThan(10_000);
}, 900_000);
