import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk } from "./bench.ts";
import { EngineTime } from "./engine-time.ts";
import { until } from "./fake-runner.ts";
import { begin, delta, init, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

test("[HB58] an agent that prints nothing for 30 s in the middle of a turn is shown as silent until it prints again, and setting the clock has no effect", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const runner = await bench.runner();
  const idle = await bench.running(runner);
  const id = await bench.running(runner);
  runner.say(id, init(), ...begin("m"), delta("so "));
  await until(() => bench.engine.sessions.get(id).summary.status === "active");
  const view = () => bench.engine.sessions.get(id);
  time.setWall(3_600_000);
  time.tick();
  time.setWall(0);
  expect(view().silentSince).toBeUndefined();
  time.pass(31_000);
  await until(() => view().silentSince !== undefined);
  expect(bench.engine.sessions.get(idle).silentSince).toBeUndefined();
  runner.say(id, delta("it goes on"));
  await until(() => {
    time.tick();
    return view().silentSince === undefined;
  });
});

test("[HB59] time during which the machine slept does not count: no session parks and no ask expires when it wakes", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time, parkMs: 50_000 });
  const runner = await bench.runner();
  const idle = await bench.running(runner);
  const asks = await bench.running(runner, { askLimitMinutes: 30 });
  runner.say(idle, said("m", "hi"), result());
  await bench.stored(runner, idle);
  runner.ask(asks, "a");
  await bench.ask(asks);
  time.tick();
  time.pass(24 * 3_600_000);
  // Orders go out one after the other: this one comes after any that waking up had given.
  for (const id of [idle, asks]) {
    await bench.engine.sessions.request(id, "set_permission_mode", { mode: "plan" }, desk);
  }
  expect(runner.orders("stop")).toEqual([]);
  expect(runner.orders("decide")).toEqual([]);
  expect(bench.engine.asks.list()).toHaveLength(1);
  time.pass(50_000);
  await until(() => runner.orders("stop").length === 1); // awake, it is a minute after all
  expect(runner.orders("stop")[0]).toMatchObject({ session: idle, park: true });
  await until(() => bench.engine.sessions.get(idle).state === "parked");
  await bench.engine.sessions.stop(asks, desk);
});
