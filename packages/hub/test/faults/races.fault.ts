import { expect, test } from "bun:test";
import type { AskView } from "@signalbox/api";
import { note, until } from "../session/fake-runner.ts";
import { Bench, desk, refusal } from "../session/bench.ts";

const RACES = 10_000;
const GROUP = 100;

test("[HB22] an answer and a withdrawal race 10,000 times: whoever is refused has reached nobody, and no ask stays open", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const closed = (requestId: string) => note("ask_closed", { requestId, how: "withdrawn" });
  // As the real runner: what is withdrawn by then is not open any more, and gets no answer.
  const withdrawn = new Set<string>();
  const reached = new Set<string>();
  runner.carryOut = (order) => {
    if (order.kind !== "decide") return runner.usual(order);
    if (withdrawn.has(order.requestId)) {
      return {
        problem: { code: "ask-closed", detail: "The agent does not wait for this any more." },
      };
    }
    expect(reached.has(order.requestId)).toBe(false);
    reached.add(order.requestId);
    return runner.usual(order);
  };
  const tally = { accepted: 0, refused: 0 };
  const race = async (ask: AskView) => {
    const decision = { behavior: "allow" as const };
    const answer = async () => {
      await Bun.sleep(Math.random() * 30);
      return refusal(bench.engine.asks.answer(ask.id, { hash: ask.hash, decision }, desk));
    };
    const withdraw = async () => {
      await Bun.sleep(Math.random() * 30);
      if (reached.has(ask.requestId)) return; // the agent has its answer
      withdrawn.add(ask.requestId);
      runner.say(id, closed(ask.requestId));
    };
    const [{ status, code }] = await Promise.all([answer(), withdraw()]);
    if (status === 0) {
      tally.accepted++;
      return;
    }
    tally.refused++;
    expect({ status, code }).toEqual({ status: 409, code: "expired" });
    expect(reached.has(ask.requestId)).toBe(false);
  };
  for (let n = 0; n < RACES; n += GROUP) {
    for (let at = 0; at < GROUP; at++) runner.ask(id, `race-${n + at}`);
    await until(() => bench.engine.asks.list().length === GROUP);
    await Promise.all(bench.engine.asks.list().map(race));
    await until(() => bench.engine.asks.list().length === 0);
    runner.frames.length = 0;
  }
  console.log(JSON.stringify({ races: RACES, ...tally, reached: reached.size }));
  expect(reached.size).toBeLessThanOrEqual(tally.accepted);
  expect(tally.refused).toBeGreaterThan(0);
  expect(tally.accepted).toBeGreaterThan(0);
}, 600_000);
