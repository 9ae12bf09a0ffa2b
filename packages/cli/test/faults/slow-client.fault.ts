import { expect, test } from "bun:test";
import { plainSocket } from "./plain-socket.ts";
import { cpuSeconds, watchRss } from "./process-facts.ts";
import { Room } from "./room.ts";
import { freshItems, shown, textOf, when } from "./seen.ts";

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
  const cpu = { hub: cpuSeconds(room.hub.pid), runner: cpuSeconds(room.runner.pid) };
  const since = performance.now();
  // 200 MB as fast as the agent can: it is not made to wait for what is slower than 50 MB/s.
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
  const seen = await shown(watch);
  const wroteMs = Number(/wrote for (\d+) ms/.exec(textOf(seen))?.[1]);
  const figures = {
    agentMbPerSecond: Math.round(200_000 / wroteMs),
    storedMbPerSecond: Math.round(200 / seconds),
    hubCpuSeconds: cpuSeconds(room.hub.pid) - cpu.hub,
    runnerCpuSeconds: cpuSeconds(room.runner.pid) - cpu.runner,
    waitedMb,
    hubGrownMb: grownMb,
  };
  console.log(JSON.stringify(figures));
  expect(waitedMb).toBeLessThan(2); // one page may be on its way when the limit is reached
  expect(seen.length).toBeGreaterThan(8000);
}, 900_000);
