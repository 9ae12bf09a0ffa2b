import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk, OWN } from "./bench.ts";
import { until } from "./fake-runner.ts";
import { init, said } from "./speech.ts";

setDefaultTimeout(180_000);

test("[LG32] when another hub has claimed a runner, its lines and answers are not stored here and its link is dropped; once it is back, all is stored once", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.say(id, init(), said("m1", "first"));
  runner.ask(id, "a");
  await bench.stored(runner, id);
  const ask = await bench.ask(id);
  const stored = await bench.store.head(id);
  const acknowledged = runner.acked(id);

  bench.owners.takeOver(OWN);
  const answer = { hash: ask.hash, decision: { behavior: "allow" } } as const;
  const late: unknown = await bench.engine.asks.answer(ask.id, answer, desk).catch((why) => why);
  expect(late).toMatchObject({ code: "STORE_FAILED", why: "moved" });
  expect(await bench.store.ask(ask.id)).toMatchObject({ status: "open" });
  expect(runner.orders("decide")).toEqual([]);

  const { run, seq } = runner.runs.get(id) ?? { run: "", seq: 0 };
  runner.say(id, said("m2", "late"));
  await until("the link is dropped", () => runner.closed !== undefined);
  expect(runner.closed).toEqual({ code: 1012, reason: "another hub serves this runner" });
  expect(runner.acked(id)).toBe(acknowledged);
  expect(await bench.store.head(id)).toEqual(stored);

  const back = await bench.runner(runner);
  back.sayFrom(id, run, seq + 1, said("m2", "late"));
  await bench.stored(back, id, seq + 1);
  const texts = (await bench.engine.history.listItems(id, undefined, 100)).flatMap((item) =>
    item.kind === "text" ? [item.text] : [],
  );
  expect(texts).toEqual(["first", "late"]);
  await bench.engine.asks.answer(ask.id, answer, desk);
  await until(() => back.orders("decide").length === 1);
});
