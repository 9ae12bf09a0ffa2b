import { expect, test } from "bun:test";
import { plainSocket } from "./plain-socket.ts";
import { cpuSeconds, watchRss } from "@signalbox/testing/process-facts";
import { Room } from "./room.ts";
import { freshItems, shown, getText, when } from "./seen.ts";

const MB = 1024 * 1024;
/** 200 MB, which an agent would say in four seconds. */
const TEXTS = 8000;
const SIZE = 25_000;
const PACE = 50;
/** The answer to the upgrade, the welcome and a beat every eleven seconds are not counted with the rest. */
const OWN_MB = 0.02;
/** Before that, so that both have the memory with which they work. */
const TEXTS_BEFORE = 4000;
/** Less than half of what was said: it is not held anywhere. */
const MAX_GROWN_MB = 100;

test("a client that does not read while much is said, as fast as 50 MB/s: at most 1 MiB waits for it, and others see everything", async () => {
  await using room = await Room.open({ environment: { RECORD: "" } });
  const { id } = await room.session([{ tell: "begin" }]);
  await room.idle(id, 1);
  const reader = room.client();
  using watch = reader.watchSession(id);
  await when(watch, () => watch.view.state === "ready");
  using lazy = await plainSocket(room.admin, id);
  lazy.pause();
  await room.send(id, [{ pour: TEXTS_BEFORE, size: SIZE, pace: PACE }]);
  await room.idle(id, 2);
  using hub = watchRss(room.hub.pid);
  using runner = watchRss(room.runner.pid);
  const before = { hub: hub.peakMb, runner: runner.peakMb };
  const cpu = { hub: cpuSeconds(room.hub.pid), runner: cpuSeconds(room.runner.pid) };
  const since = performance.now();
  // Its pipe fills as soon as somebody behind it is slower, and then it has to wait: nothing piles up.
  const all = { pour: TEXTS, after: TEXTS_BEFORE, size: SIZE, pace: PACE };
  await room.send(id, [all, { tell: "the end" }]);
  await room.idle(id, 3);
  const { rev } = await room.admin.session(id);
  await when(watch, () => watch.view.cursor?.rev === rev);
  const seconds = (performance.now() - since) / 1000;
  const grownMb = hub.peakMb - before.hub;
  const runnerGrown = runner.peakMb - before.runner;
  lazy.resume();
  await freshItems(room.client(), id); // a round trip or two later it has what waited for it
  await Bun.sleep(1000);
  const waitedMb = lazy.received / MB;
  const seen = await shown(watch);
  const poured = seen.flatMap((item) =>
    item.kind === "text" && /^\d{12} y/.test(item.text) ? [Number.parseInt(item.text, 10)] : [],
  );
  const pour = JSON.parse(
    getText(seen)
      .match(/\{"ms":.*\}/g)
      ?.at(-1) ?? "{}",
  ) as Record<string, number>;
  const megabytes = (TEXTS * SIZE) / 1e6;
  const figures = {
    // What it could have said, and what it was let: the rest of the time it waited for its pipe.
    agentCouldMbPerSecond: Math.round((1000 * megabytes) / (pour["ownMs"] || 1)),
    agentMbPerSecond: Math.round((1000 * megabytes) / (pour["ms"] ?? Number.NaN)),
    agentWaitedMs: pour["waitedMs"],
    storedMbPerSecond: Math.round(megabytes / seconds),
    hubCpuSeconds: cpuSeconds(room.hub.pid) - cpu.hub,
    runnerCpuSeconds: cpuSeconds(room.runner.pid) - cpu.runner,
    waitedMb,
    hubGrownMb: grownMb,
    runnerGrownMb: runnerGrown,
  };
  console.log(JSON.stringify(figures));
  expect(figures.agentCouldMbPerSecond).toBeGreaterThanOrEqual(PACE);
  expect(waitedMb).toBeLessThan(1 + OWN_MB);
  expect(poured).toEqual(Array.from({ length: TEXTS_BEFORE + TEXTS }, (_, at) => at + 1));
  expect(figures.hubGrownMb).toBeLessThan(MAX_GROWN_MB);
  expect(figures.runnerGrownMb).toBeLessThan(MAX_GROWN_MB);
}, 900_000);
