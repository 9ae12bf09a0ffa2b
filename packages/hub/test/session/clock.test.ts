import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk } from "./bench.ts";
import { until } from "./fake-runner.ts";
import { begin, delta, init, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

/** Lets the steady clock jump, as if the machine had slept. */
async function later(ms: number, work: () => Promise<void>): Promise<void> {
  const now = performance.now.bind(performance);
  performance.now = () => now() + ms;
  try {
    await work();
  } finally {
    performance.now = now;
  }
}

test("[HB58] an agent that says nothing for 30 s in the middle of a turn is shown as silent until it speaks; setting the clock means nothing", async () => {
  await using bench = await Bench.open({ tickMs: 10 });
  const runner = await bench.runner();
  const idle = await bench.running(runner);
  const id = await bench.running(runner);
  runner.say(id, init(), ...begin("m"), delta("so "));
  await until(() => bench.engine.session(id).summary.status === "active");
  const view = () => bench.engine.session(id);
  const now = Date.now;
  Date.now = () => now() + 3_600_000;
  await Bun.sleep(100);
  Date.now = now;
  expect(view().silentSince).toBeUndefined();
  await later(31_000, async () => {
    await until(() => view().silentSince !== undefined);
    expect(bench.engine.session(idle).silentSince).toBeUndefined();
    runner.say(id, delta("it goes on"));
    await until(() => view().silentSince === undefined);
  });
});

test("[HB59] what was slept through counts for nothing: nobody is parked and no ask expires when the machine wakes", async () => {
  await using bench = await Bench.open({ tickMs: 20, parkMs: 50_000 });
  const runner = await bench.runner();
  const idle = await bench.running(runner);
  const asks = await bench.running(runner, { askLimitMinutes: 30 });
  runner.say(idle, said("m", "hi"), result());
  runner.ask(asks, "a");
  await bench.ask(asks);
  await Bun.sleep(100);
  await later(24 * 3_600_000, () => Bun.sleep(200));
  expect(runner.orders("stop")).toEqual([]);
  expect(runner.orders("decide")).toEqual([]);
  expect(bench.engine.asks()).toHaveLength(1);
  await later(24 * 3_600_000 + 50_000, async () => {
    await until(() => runner.orders("stop").length === 1); // awake, it is a minute after all
  });
  expect(runner.orders("stop")[0]).toMatchObject({ session: idle, park: true });
  await until(() => bench.engine.session(idle).state === "parked");
  await bench.engine.stop(asks, desk);
});
