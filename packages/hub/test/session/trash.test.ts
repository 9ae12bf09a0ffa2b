import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk, refusal } from "./bench.ts";
import { EngineTime } from "./engine-time.ts";
import { until } from "./fake-runner.ts";

setDefaultTimeout(180_000);

const DAY_MS = 24 * 3_600_000;

test("[HB160] labels, a pin and a snooze are stored with the session", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create();
  const until = Date.now() + DAY_MS;
  const change = { labels: ["urgent", "api", "urgent"], pinned: true, snoozedUntil: until };
  const changed = { labels: ["urgent", "api"], pinned: true, snoozedUntil: until };
  expect(await bench.engine.sessions.change(id, change, desk)).toMatchObject(changed);
  await bench.closeHub();
  await bench.openHub();
  expect(bench.engine.sessions.get(id)).toMatchObject(changed);
  await bench.engine.sessions.change(id, { snoozedUntil: null, labels: [] }, desk);
  expect(bench.engine.sessions.get(id).labels).toEqual([]);
  expect(bench.engine.sessions.get(id).snoozedUntil).toBeUndefined();
});

test("[HB161] a session in the trash is stopped, listed nowhere else, and cannot be started until it is restored", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const trash = (trashed: boolean) => bench.engine.sessions.change(id, { trashed }, desk);
  expect(await trash(true)).toMatchObject({ state: "stopped", trashedAt: expect.any(Number) });
  expect(bench.engine.sessions.list()).toEqual([]);
  expect(bench.engine.sessions.listProjects()).toEqual([]);
  expect(bench.engine.sessions.listTrash()).toMatchObject([{ id }]);
  const inTrash = { status: 409, code: "in-trash" };
  expect(await refusal(bench.send(id, "hello"))).toEqual(inTrash);
  expect(await refusal(bench.engine.sessions.wake(id, desk))).toEqual(inTrash);
  expect(await refusal(bench.engine.sessions.retry(id, desk, {}))).toEqual(inTrash);
  await trash(false);
  expect(bench.engine.sessions.list()).toMatchObject([{ id }]);
  await bench.engine.sessions.wake(id, desk);
  await until(() => bench.engine.sessions.get(id).state === "running");
  const entries = (await bench.store.audit(0, 1000)).map(({ what }) => what);
  expect(entries).toEqual(expect.arrayContaining(["session-trashed", "session-restored"]));
});

test("[HB161] what runs in the trash, because its machine was away when it was moved there, is stopped when that returns", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const runner = await bench.runner();
  const id = await bench.running(runner, { policy: "autonomous", confirmed: true });
  runner.leave();
  await until(() => bench.engine.sessions.get(id).state === "unreachable");
  await bench.engine.sessions.change(id, { trashed: true }, desk);
  time.pass(1000);
  const returned = await bench.runner(runner);
  time.pass(1000);
  await until(() => bench.engine.sessions.get(id).state === "stopped");
  expect(returned.orders("stop")).toMatchObject([{ session: id, park: false }]);
  const entries = (await bench.store.audit(0, 1000)).map(({ what }) => what);
  expect(entries.filter((what) => what === "stopped")).toHaveLength(1);
});

test("[HB161] a copy of a session in the trash is outside of it, and starts", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "hello");
  await until(() => bench.engine.sessions.get(id).summary.sessionId !== undefined);
  await bench.engine.sessions.change(id, { trashed: true }, desk);
  const copy = await bench.engine.sessions.fork(id, crypto.randomUUID(), {}, desk);
  expect(copy.trashedAt).toBeUndefined();
  expect(bench.engine.sessions.list()).toMatchObject([{ id: copy.id }]);
  await until(() => bench.engine.sessions.get(copy.id).state === "running");
});

test("[HB161] what was in the trash for 30 days is deleted, and not before; the trash can be emptied", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const [first, second] = [await bench.create(), await bench.create()];
  for (const { id } of [first, second]) {
    await bench.engine.sessions.change(id, { trashed: true }, desk);
  }
  await bench.engine.housekeeping.tidy();
  time.pass(29 * DAY_MS);
  await bench.engine.housekeeping.tidy();
  expect(bench.engine.sessions.listTrash()).toHaveLength(2);
  await bench.engine.sessions.change(second.id, { trashed: false }, desk);
  time.pass(DAY_MS);
  for (let i = 0; i < 3; i++) time.pass(30_000);
  await until(() => bench.engine.sessions.listTrash().length === 0);
  expect(bench.engine.sessions.list()).toMatchObject([{ id: second.id }]);
  expect(await refusal((async () => bench.engine.sessions.get(first.id))())).toMatchObject({
    code: "no-such-session",
  });
  await bench.engine.sessions.change(second.id, { trashed: true }, desk);
  await bench.engine.sessions.emptyTrash(desk);
  expect(bench.engine.sessions.listTrash()).toEqual([]);
});

test("[HB161] a clock that is set wrong deletes nothing, and the days in the trash are counted over restarts", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const { id } = await bench.create();
  await bench.engine.sessions.change(id, { trashed: true }, desk);
  const isThere = async () => {
    await bench.engine.housekeeping.tidy();
    return bench.engine.sessions.listTrash().length === 1;
  };
  const restart = async () => {
    await bench.closeHub();
    await bench.openHub();
  };
  expect(await isThere()).toBe(true);
  for (const years of [20, -20, 0]) {
    time.setWall(years * 365 * DAY_MS);
    expect(await isThere()).toBe(true);
  }
  time.setWall(60 * DAY_MS);
  await restart();
  expect(await isThere()).toBe(true);
  // The 60 days for which the hub may have been off have counted as seven.
  time.pass(15 * DAY_MS);
  expect(await isThere()).toBe(true);
  await restart();
  time.pass(7 * DAY_MS);
  expect(await isThere()).toBe(true);
  time.pass(DAY_MS);
  expect(await isThere()).toBe(false);
});

test("[HB162] sessions that are idle for as long as the rule says are archived, but not those that are pinned or run", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const runner = await bench.runner();
  const [idle, pinned] = [await bench.create(), await bench.create({})];
  const runs = await bench.running(runner);
  await bench.engine.sessions.change(pinned.id, { pinned: true }, desk);
  time.setWall(8 * DAY_MS);
  await bench.engine.housekeeping.tidy();
  const listArchived = () =>
    bench.engine.sessions.list().flatMap(({ id, archived }) => (archived ? [id] : []));
  expect(listArchived()).toEqual([]);
  await bench.engine.housekeeping.set({ archiveAfterDays: 9 }, desk);
  expect(listArchived()).toEqual([]);
  await bench.engine.housekeeping.set({ archiveAfterDays: 7 }, desk);
  expect(listArchived()).toEqual([idle.id]);
  expect(bench.engine.sessions.get(runs).archived).toBe(false);
  await bench.closeHub();
  await bench.openHub();
  expect(bench.engine.housekeeping.settings).toEqual({ archiveAfterDays: 7 });
});
