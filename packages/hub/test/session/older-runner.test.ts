import { expect, setDefaultTimeout, test } from "bun:test";
import { LINK_VERSION } from "@signalbox/api/link";
import { Bench, desk, OWN } from "./bench.ts";
import { EngineTime } from "./engine-time.ts";
import { FakeRunner, until } from "./fake-runner.ts";
import { result, said } from "./speech.ts";

setDefaultTimeout(180_000);

test("[HD17] a runner of the previous version keeps its agents and starts none, and messages are sent when the current runner has connected", async () => {
  await using bench = await Bench.open();
  const before = await bench.runner();
  const living = await bench.running(before);
  const older = await new FakeRunner(bench.engine, OWN).hello(before, LINK_VERSION - 1);
  expect(bench.engine.sessions.get(living).state).toBe("running");
  const { id } = await bench.create({ prompt: { text: "Begin." } });
  const view = () => bench.engine.sessions.get(id);
  expect(view()).toMatchObject({ state: "new", queue: [{ text: "Begin." }] });
  expect(view().problem).toContain("older than the hub");
  expect(bench.engine.runners.isReplaceable(OWN)).toBe(false); // an agent lives there
  await bench.engine.sessions.stop(living, desk);
  await until("it has no agents", () => bench.engine.runners.isReplaceable(OWN));
  expect(older.orders("start")).toEqual([]);
  const today = await bench.runner();
  await until("the session has begun", () => view().state === "running", { seen: view });
  expect(today.orders("start")).toMatchObject([{ session: id }]);
  expect(view().problem).toBeUndefined();
  expect(bench.engine.runners.isReplaceable(OWN)).toBe(false);
});

test("[HD17] agents of a runner of the previous version are parked as soon as none of them works or waits for a person", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const before = await bench.runner();
  const idle = await bench.running(before);
  const asks = await bench.running(before);
  before.say(idle, said("m", "hi"), result());
  await bench.stored(before, idle);
  before.ask(asks, "a");
  await bench.ask(asks);
  time.tick();
  expect(before.orders("stop")).toEqual([]);
  const older = await new FakeRunner(bench.engine, OWN).hello(before, LINK_VERSION - 1);
  time.tick();
  // Orders go out one after the other: this one comes after any that the tick had given.
  await bench.engine.sessions.request(idle, "set_permission_mode", { mode: "plan" }, desk);
  expect(older.orders("stop")).toEqual([]);
  await bench.engine.sessions.stop(asks, desk);
  await until("the idle one is parked", () => {
    time.tick();
    return bench.engine.sessions.get(idle).state === "parked";
  });
  expect(bench.engine.runners.isReplaceable(OWN)).toBe(true);
});
