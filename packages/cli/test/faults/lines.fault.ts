import { expect, test } from "bun:test";
import type { Item } from "@signalbox/client";
import { percentile, watchRss } from "@signalbox/testing/process-facts";
import { readLog } from "./recorder.ts";
import { Room } from "./room.ts";
import { freshItems, when } from "./seen.ts";

const MB = 1024 * 1024;
const LIMIT = 64 * MB;

/** How long each word of a talking clock took from the agent to this client, in milliseconds. */
function readDelays(room: Room, id: string) {
  const watch = room.client().watchSession(id);
  const seen = new Set<string>();
  const delays: number[] = [];
  watch.subscribe(() => {
    for (const item of watch.view.ids.map((each) => watch.view.item(each) as Item)) {
      if (item.kind !== "text" || seen.has(item.id) || !item.text.startsWith("at ")) continue;
      seen.add(item.id);
      delays.push(Date.now() - Number(item.text.slice(3)));
    }
  });
  return Object.assign(delays, { [Symbol.dispose]: () => watch.close() });
}

test("a gigabyte without a line break: cut and counted, the next line read, memory bounded, the other session undisturbed", async () => {
  await using room = await Room.open({ environment: { RECORD: "" } });
  const quiet = await room.session([{ tell: "begin" }]);
  const loud = await room.session([{ tell: "begin" }]);
  await room.idle(quiet.id, 1);
  await room.idle(loud.id, 1);
  using delays = readDelays(room, quiet.id);
  using hub = watchRss(room.hub.pid);
  using runner = watchRss(room.runner.pid);
  const before = { hub: hub.peakMb, runner: runner.peakMb };
  await room.send(quiet.id, [{ clock: 1500, everyMs: 20 }]);
  await room.send(loud.id, [{ zeros: 1024 * MB }, { raw: "\n" }, { tell: "the next line" }]);
  await room.idle(loud.id, 2);
  const during = [...delays];
  const long = (await readLog(room.admin, loud.id)).find(({ flaws }) => flaws !== undefined);
  expect(long?.flaws).toMatchObject({ droppedBytes: 1024 * MB - LIMIT });
  const items = await freshItems(room.client(), loud.id);
  expect(JSON.stringify(items.at(-2)) + JSON.stringify(items.at(-1))).toContain("the next line");
  const figures = {
    otherSessionP99Ms: percentile(during, 0.99),
    words: during.length,
    hubGrownMb: hub.peakMb - before.hub,
    runnerGrownMb: runner.peakMb - before.runner,
  };
  console.log(JSON.stringify(figures));
  expect(figures.words).toBeGreaterThan(50);
  expect(figures.otherSessionP99Ms).toBeLessThan(250);
  expect(figures.hubGrownMb).toBeLessThan(200);
  expect(figures.runnerGrownMb).toBeLessThan(200);
}, 900_000);

test("lines of 1, 10, 65, 100 and 600 MB: whole up to the limit, cut and counted beyond, stubs for the browser, and the session goes on", async () => {
  await using room = await Room.open({ environment: { RECORD: "" } });
  const viewer = room.client();
  const { id } = await room.session([{ tell: "begin" }]);
  await room.idle(id, 1);
  using watch = viewer.watchSession(id);
  using hub = watchRss(room.hub.pid);
  const head =
    '{"type":"assistant","session_id":"s","uuid":"u","parent_tool_use_id":null,"message":{"id":"m","type":"message","role":"assistant","model":"m","usage":{},"content":[{"type":"text","text":"';
  const tail = '"}]}}\n';
  const sizes = [1, 10, 65, 100, 600];
  let turns = 1;
  for (const size of sizes) {
    const steps = [{ raw: head }, { filler: size * MB }, { raw: tail }, { tell: `after ${size}` }];
    await room.send(id, steps);
    await room.idle(id, ++turns);
  }
  const lines = (await readLog(room.admin, id)).filter(
    ({ from, blob }) => from === "agent" && blob,
  );
  const whole = (size: number) => head.length + size * MB + tail.length - 1;
  expect(lines).toHaveLength(sizes.length);
  for (const [at, size] of sizes.entries()) {
    const answer = await room.admin.blob(lines[at]?.blob ?? "", { from: 0, to: 9 });
    const stored = Number(answer.headers.get("content-range")?.split("/")[1]);
    expect(stored).toBe(Math.min(LIMIT, whole(size)));
    const flaws = lines[at]?.flaws as { droppedBytes?: number } | undefined;
    expect(flaws?.droppedBytes).toBe(whole(size) > LIMIT ? whole(size) - LIMIT : undefined);
  }
  await when(watch, () =>
    JSON.stringify(watch.view.ids.map((each) => watch.view.item(each))).includes("after 600"),
  );
  const held = JSON.stringify(watch.view.ids.map((each) => watch.view.item(each))).length;
  console.log(JSON.stringify({ heldByTheClient: held, hubPeakMb: hub.peakMb }));
  expect(held).toBeLessThan(2 * MB);
}, 900_000);
