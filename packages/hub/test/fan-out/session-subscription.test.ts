import { expect, setDefaultTimeout, test } from "bun:test";
import type { Item } from "@signalbox/timeline";
import { Bench } from "../session/bench.ts";
import { type FakeRunner, until } from "../session/fake-runner.ts";
import { begin, delta, result, said } from "../session/speech.ts";
import { Viewer } from "./viewer.ts";

setDefaultTimeout(180_000);

const LIMIT = 1024 * 1024;

async function setUp() {
  const bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  return { bench, runner, id };
}

/** Everything was said and stored: what does one see who comes now? */
async function fresh(bench: Bench, id: string): Promise<Viewer> {
  const viewer = new Viewer(id).connect(bench.engine);
  await until(() => viewer.live);
  return viewer;
}

/** The end of what `viewer` has is what a fresh one begins with. */
async function expectSame(bench: Bench, runner: FakeRunner, viewer: Viewer): Promise<void> {
  await bench.stored(runner, viewer.session);
  const { rev } = bench.engine.sessions.get(viewer.session);
  await until(() => viewer.live && viewer.rev >= rev);
  const other = await fresh(bench, viewer.session);
  expect(viewer.list.slice(-other.list.length)).toEqual(other.list);
  other.disconnect();
}

const getText = (items: readonly Item[]) =>
  items.flatMap((item) => (item.kind === "text" ? [item.text] : []));

test("[HB4] a subscriber that joins in mid-stream, at any moment, sees what all others see", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  const viewers = [new Viewer(id).connect(bench.engine)];
  let whole = "";
  runner.say(id, ...begin("m1"));
  for (let nth = 0; nth < 120; nth++) {
    const word = `word-${nth} `;
    whole += word;
    runner.say(id, delta(word));
    const short = nth % 2 === 0;
    if (nth % 7 === 0) viewers.push(new Viewer(id, { short }).connect(bench.engine));
    if (nth % 3 === 0) await Bun.sleep(nth % 11);
  }
  for (const viewer of viewers) await until(() => getText(viewer.list)[0] === whole);
  runner.say(id, said("m1", whole), result());
  for (const viewer of viewers) await expectSame(bench, runner, viewer);
  expect(getText(viewers[0]?.list ?? [])).toEqual([whole]);
});

test("[HB5] a subscriber that returns with its epoch and revision gets the changes and nothing else", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  for (let nth = 0; nth < 50; nth++) runner.say(id, said(`m${nth}`, `text ${nth}`));
  const viewer = await fresh(bench, id);
  await expectSame(bench, runner, viewer);
  viewer.disconnect();
  const frames = viewer.frames.length;
  runner.say(id, said("n1", "while away"), ...begin("n2"), delta("and "));
  await bench.stored(runner, id);
  viewer.connect(bench.engine);
  await until(() => getText(viewer.list).at(-1) === "and ");
  viewer.disconnect(); // in the middle of a text
  runner.say(id, delta("more "));
  viewer.connect(bench.engine);
  runner.say(id, delta("text"), said("n2", "and more text"), result());
  await expectSame(bench, runner, viewer);
  expect(viewer.resets).toBe(1);
  const sent = viewer.frames
    .slice(frames)
    .flatMap((frame) => (frame.type === "items" ? frame.items.map((item) => item.id) : []));
  expect(sent.some((item) => item.includes("m1"))).toBe(false);
});

test("[HB5] a subscriber that left before it got the live text of its revision gets that text when it returns", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  const stays = await fresh(bench, id);
  const leaves = await fresh(bench, id);
  runner.say(id, ...begin("m"), delta("a"));
  for (const viewer of [stays, leaves]) await until(() => getText(viewer.list)[0] === "a");
  await bench.stored(runner, id);
  const left = Promise.withResolvers<void>();
  leaves.onItems = () => {
    leaves.onItems = undefined;
    leaves.disconnect();
    left.resolve();
  };
  runner.say(id, delta("bcd"), "something else that is stored with it");
  await left.promise;
  await until(() => getText(stays.list)[0] === "abcd");
  leaves.connect(bench.engine);
  await until(() => leaves.live);
  runner.say(id, delta("e"));
  for (const viewer of [stays, leaves]) await until(() => getText(viewer.list)[0] === "abcde");
});

test("[HB6] a subscriber from another epoch, with a newer revision, or that missed more than 1000 items, starts again", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  runner.say(id, said("m", "first"));
  const foreign = await fresh(bench, id);
  const missed = await fresh(bench, id);
  const ahead = await fresh(bench, id);
  for (const viewer of [foreign, missed, ahead]) viewer.disconnect();
  foreign.epoch = "another";
  for (let nth = 0; nth < 1100; nth++) runner.say(id, said(`m${nth}`, `text ${nth}`));
  await bench.stored(runner, id);
  ahead.rev = bench.engine.sessions.get(id).rev + 1; // what it has seen was cut off
  for (const viewer of [foreign, missed, ahead]) {
    viewer.connect(bench.engine);
    await expectSame(bench, runner, viewer);
    expect(viewer.resets).toBe(2);
    expect(viewer.list.length).toBeLessThanOrEqual(100);
  }
});

/** A letter of one byte, and one of three. */
const letters = ["x", "語"];

test.each(letters)(
  "[HB7] a slow subscriber has at most 1 MiB unacknowledged, delays nobody, and catches up: %s",
  async (letter) => {
    const { bench, runner, id } = await setUp();
    await using _ = bench;
    const slow = new Viewer(id);
    slow.slow = true;
    slow.connect(bench.engine);
    const quick = new Viewer(id).connect(bench.engine);
    await until(() => slow.live && quick.live);
    for (let nth = 0; nth < 300; nth++) {
      runner.say(id, said(`m${nth}`, `${nth} `.padEnd(20_000, letter)));
      if (nth % 10 === 0) await bench.stored(runner, id);
    }
    runner.say(id, ...begin("last"), delta("growing "));
    await expectSame(bench, runner, quick);
    await until(() => getText(quick.list).at(-1) === "growing ");
    expect(slow.mostUnacknowledged).toBeGreaterThan(LIMIT / 2);
    expect(slow.mostUnacknowledged).toBeLessThanOrEqual(LIMIT);
    expect(slow.items.size).toBeLessThan(quick.items.size);
    runner.say(id, delta("on"));
    slow.slow = false;
    slow.acknowledge();
    await until(() => getText(slow.list).at(-1) === "growing on");
    runner.say(id, said("last", "growing on"), result());
    await expectSame(bench, runner, slow);
    expect(getText(slow.list)).toEqual(getText(quick.list));
    expect(slow.mostUnacknowledged).toBeLessThanOrEqual(LIMIT);
  },
);

test.each(letters)(
  "[HB7] no page is larger than 1 MiB, whatever it contains: %s",
  async (letter) => {
    const { bench, runner, id } = await setUp();
    await using _ = bench;
    const early = await fresh(bench, id);
    const big = Array.from({ length: 120 }, (__, nth) => said(`m${nth}`, letter.repeat(30_000)));
    runner.say(id, ...big);
    const late = await fresh(bench, id);
    for (const viewer of [early, late]) {
      await expectSame(bench, runner, viewer);
      const sizes = viewer.frames.map((frame) => Buffer.byteLength(JSON.stringify(frame)));
      expect(Math.max(...sizes)).toBeLessThan(LIMIT);
    }
    expect(getText(early.list)).toHaveLength(120);
  },
);

test("[HB8] nothing that happens at any moment of a subscription is lost or sent twice", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  for (let nth = 0; nth < 5; nth++) runner.say(id, said(`before${nth}`, `before ${nth}`));
  const known = await fresh(bench, id);
  known.disconnect();
  const moments = new Set<string>();
  let nth = 0;
  for (let round = 0; round < 12; round++) {
    const viewer = new Viewer(id);
    if (round % 2 === 1) {
      for (const item of known.list) viewer.items.set(item.id, item);
      viewer.epoch = known.epoch;
      viewer.rev = known.rev;
    }
    let reads = 0;
    bench.gate.onRead = async (what) => {
      if (reads++ !== Math.floor(round / 2)) return;
      moments.add(what);
      runner.say(id, said(`m${nth}`, `text ${nth++}`));
      // Half the time the subscription goes on when the commit is through, half the time before.
      if (round % 3 !== 0) await bench.stored(runner, id);
    };
    viewer.connect(bench.engine);
    await until(() => viewer.live);
    bench.gate.onRead = undefined;
    runner.say(id, said(`m${nth}`, `text ${nth++}`));
    await expectSame(bench, runner, viewer);
    const told = viewer.frames.flatMap((frame) =>
      frame.type === "items" ? frame.items.map((item) => `${item.id}@${item.rev}`) : [],
    );
    expect(told.filter((each, at) => told.indexOf(each) !== at)).toEqual([]);
    viewer.disconnect();
  }
  expect(moments.size).toBeGreaterThan(3);
});

test("[HB8] nothing that is read before the hub knows that it is stored is lost or sent twice", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  runner.say(id, said("m1", "one"));
  await bench.stored(runner, id);
  const heard = Promise.withResolvers<void>();
  bench.gate.linger = heard.promise;
  runner.say(id, said("m2", "two"));
  await until(async () =>
    JSON.stringify(await bench.store.itemsBefore(id, undefined, 9)).includes("two"),
  );
  const viewer = await fresh(bench, id);
  expect(getText(viewer.list)).toEqual(["one", "two"]);
  bench.gate.linger = undefined;
  heard.resolve();
  runner.say(id, said("m3", "three"));
  await expectSame(bench, runner, viewer);
  const told = viewer.frames.flatMap((frame) =>
    frame.type === "items" ? frame.items.map((item) => item.id) : [],
  );
  expect(told).toEqual([...new Set(told)]);
});

test("[HB9] a subscriber that leaves gets nothing more, and one that watches a deleted session is told that it is gone", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  const left = await fresh(bench, id);
  const stays = await fresh(bench, id);
  left.disconnect();
  const frames = left.frames.length;
  runner.say(id, said("m", "after"));
  await expectSame(bench, runner, stays);
  expect(left.frames.length).toBe(frames);
  await bench.engine.sessions.delete(id, { device: "d", name: "desk", role: "admin" });
  await until(() => stays.frames.at(-1)?.type === "gone");
  const never = new Viewer(id).connect(bench.engine);
  expect(never.frames).toEqual([{ type: "gone", session: id }]);
});

test("[HB115] text that a client has is not sent again: pieces come alone, a settled item with what is new", async () => {
  const { bench, runner, id } = await setUp();
  await using _ = bench;
  const viewer = await fresh(bench, id);
  const before = new Viewer(id, { short: false }).connect(bench.engine);
  await until(() => before.live);
  let whole = "";
  runner.say(id, ...begin("m"));
  for (let nth = 0; nth < 40; nth++) {
    const word = `word-${nth} `;
    whole += word;
    runner.say(id, delta(word));
    await until(() => getText(viewer.list)[0] === whole);
  }
  const end = "and an end that nobody was sent";
  runner.say(id, said("m", whole + end), result());
  await expectSame(bench, runner, viewer);
  await expectSame(bench, runner, before);
  expect(getText(viewer.list)).toEqual([whole + end]);
  const getSent = ({ frames }: Viewer) =>
    JSON.stringify(frames.filter(({ type }) => type === "items"));
  expect(getSent(viewer)).not.toContain("word-20");
  expect(getSent(viewer)).toContain(end);
  expect(getSent(before)).toContain("word-20");
  expect(viewer.whole).toBe(1);
  expect(before.whole).toBeGreaterThan(10);
});
