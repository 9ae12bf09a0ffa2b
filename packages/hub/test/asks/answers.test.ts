import { expect, setDefaultTimeout, test } from "bun:test";
import type { NewAnswer } from "@signalbox/api";
import { Bench, OWN, desk, refusal } from "../session/bench.ts";
import { EngineTime } from "../session/engine-time.ts";
import { note, until } from "../session/fake-runner.ts";

setDefaultTimeout(180_000);

const allow = (hash: string): NewAnswer => ({ hash, decision: { behavior: "allow" } });

test("[HB20] of 50 simultaneous answers one wins, and one order goes to the runner, in 100 rounds", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  for (let round = 0; round < 100; round++) {
    runner.ask(id, `r${round}`);
    const ask = await bench.ask(id);
    const answers = Array.from({ length: 50 }, (_, nth) => {
      const by = { ...desk, name: `desk ${nth}` };
      return bench.engine.asks.answer(ask.id, allow(ask.hash), by).then(
        (answered) => answered.answeredBy,
        (why: { code: string; message: string }) => `${why.code}: ${why.message}`,
      );
    });
    const told = await Promise.all(answers);
    expect(told[0]).toBe("desk 0");
    const lost = `already-answered: This request was already answered by desk 0: Bash.`;
    expect(told.slice(1)).toEqual(Array<string>(49).fill(lost));
    await until(() => runner.orders("decide").length > round);
  }
  expect(runner.orders("decide").map(({ requestId }) => requestId)).toEqual(
    Array.from({ length: 100 }, (_, round) => `r${round}`),
  );
  const entries = (await bench.store.audit(0, 1000)).filter(({ what }) => what === "answered");
  expect(entries).toHaveLength(100);
});

test("[HB20] an answer to an ask that another hub has closed in the store is refused, and names who answered", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.ask(id, "a");
  const ask = await bench.ask(id);
  const { session, run, requestId, openedAt } = ask;
  const closed = { ...ask, status: "answered", answeredBy: "the other hub's desk" } as const;
  const row = { id: ask.id, session, run, requestId, openedAt, status: closed.status };
  await bench.store.commit([{ kind: "ask-closed", row: { ...row, json: JSON.stringify(closed) } }]);
  const late = await bench.engine.asks
    .answer(ask.id, allow(ask.hash), desk)
    .catch((why: { code: string; message: string }) => `${why.code}: ${why.message}`);
  expect(late).toBe(
    "already-answered: This request was already answered by the other hub's desk: Bash.",
  );
  expect(bench.engine.asks.list()).toEqual([]);
  expect(await bench.store.orders(OWN)).toEqual([]);
  expect(runner.orders("decide")).toEqual([]);
  expect(await bench.store.ask(ask.id)).toMatchObject({ json: JSON.stringify(closed) });
});

test("[HB80] the audit log says what was allowed, allowed with changes or denied: the tool, a line of its input and the hash of the whole input", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const answer = async (request: string, input: object, decision: NewAnswer["decision"]) => {
    runner.ask(id, request, { input, tool: "Bash", title: "Say hello" });
    const ask = await bench.ask(id);
    await bench.engine.asks.answer(ask.id, { hash: ask.hash, decision }, desk);
    await until(() => runner.orders("decide").some(({ requestId }) => requestId === request));
    const [entry] = await bench.store.auditBefore(undefined, 1);
    expect(entry).toMatchObject({ what: "answered", facts: { tool: "Bash", hash: ask.hash } });
    return entry?.facts;
  };
  const command = "rm -rf build\ntouch done";
  const described = { description: "Say hello", command };
  const allowed = await answer("a", described, { behavior: "allow" });
  expect(allowed).toMatchObject({ input: "rm -rf build⏎touch done" });
  expect(allowed?.["edited"]).toBeUndefined();
  const input = { command: "rm -ri build" };
  expect(await answer("b", described, { behavior: "allow", input })).toMatchObject({
    input: "rm -rf build⏎touch done",
    edited: "rm -ri build",
    decision: { behavior: "allow", input },
  });
  const padded = { command: `echo${" ".repeat(5000)}; rm -rf ~` };
  const denied = await answer("c", padded, { behavior: "deny", message: "no" });
  expect(denied?.["input"]).toMatch(/^echo +… \d+ more characters … +; rm -rf ~$/);
  const other = await answer("d", { host: "x", port: 1 }, { behavior: "deny" });
  expect(other?.["input"]).toBe('{"host":"x","port":1}');
  expect((await bench.store.verifyAudit([])).broken).toBeUndefined();
});

test("[HB21] an answer names the hash of its request and has the form that its kind needs", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const bypass = { type: "setMode", mode: "bypassPermissions", destination: "session" };
  runner.ask(id, "a", { suggestions: [{ type: "addRules" }, bypass] });
  const ask = await bench.ask(id);
  const { engine } = bench;
  const answer = (decision: NewAnswer["decision"], hash = ask.hash) =>
    refusal(engine.asks.answer(ask.id, { hash, decision }, desk));
  const stale = await answer({ behavior: "allow" }, "0".repeat(64));
  expect(stale).toEqual({ status: 409, code: "stale-hash" });
  const wrong = await answer({ behavior: "answer", answers: {} });
  expect(wrong).toEqual({ status: 422, code: "wrong-decision" });
  const askless = await answer({ behavior: "allow", remember: [1] });
  expect(askless).toEqual({ status: 422, code: "askless-mode" });
  const noPlan = await answer({ behavior: "allow", mode: "acceptEdits" });
  expect(noPlan).toEqual({ status: 422, code: "wrong-decision" });
  const none = await answer({ behavior: "allow", remember: [2] });
  expect(none).toEqual({ status: 422, code: "no-such-suggestion" });
  const unknown = await refusal(engine.asks.answer(crypto.randomUUID(), allow(ask.hash), desk));
  expect(unknown).toEqual({ status: 404, code: "no-such-ask" });
  expect(runner.orders("decide")).toEqual([]);
  await engine.asks.answer(ask.id, allow(ask.hash), desk);
  expect(runner.orders("decide")[0]?.decision).toMatchObject({
    behavior: "allow",
    input: { command: "run a" },
  });
});

test("[HB21] an answer to a question answers every part of the question, and nothing else", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const questions = [{ question: "Which?" }, { question: "How many?" }];
  runner.ask(id, "a", { kind: "question", tool: "AskUserQuestion", input: { questions } });
  const { id: ask, hash } = await bench.ask(id);
  const answer = (answers: Record<string, string>) =>
    bench.engine.asks.answer(ask, { hash, decision: { behavior: "answer", answers } }, desk);
  const wrong = { status: 422, code: "wrong-answer" };
  expect(await refusal(answer({ "Other?": "x" }))).toEqual(wrong);
  expect(await refusal(answer({ "Which?": "this" }))).toEqual(wrong);
  expect(runner.orders("decide")).toEqual([]);
  await answer({ "Which?": "this", "How many?": "two" });
  expect(runner.orders("decide")).toHaveLength(1);
});

test("[HB22] an answer is refused and reaches nobody after the agent has withdrawn the ask or ended", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  for (const how of ["withdrawn", "dead"]) {
    if (!runner.runs.has(id)) await bench.engine.sessions.wake(id, desk);
    await until(() => bench.engine.sessions.get(id).state === "running");
    runner.ask(id, how);
    const ask = await bench.ask(id);
    bench.gate.hold(); // the end is on its way to the store, and shown to nobody
    if (how === "withdrawn") {
      runner.say(id, note("ask_closed", { requestId: how, how: "withdrawn" }));
    } else runner.end(id, "crashed", "signal");
    await until(() => bench.gate.waiting > 0);
    const meanwhile = refusal(bench.engine.asks.answer(ask.id, allow(ask.hash), desk));
    bench.gate.release();
    expect(await meanwhile).toEqual({ status: 409, code: "expired" });
    await until(() => bench.engine.asks.list().length === 0);
    const late = await refusal(bench.engine.asks.answer(ask.id, allow(ask.hash), desk));
    expect(late).toEqual({ status: 409, code: "expired" });
    expect((await bench.store.ask(ask.id))?.status).toBe("cancelled");
  }
  expect(runner.orders("decide")).toEqual([]);
});

test("[HB22] a simultaneous withdrawal and answer end the ask once, in 100 rounds", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const withdrawn = (requestId: string) => note("ask_closed", { requestId, how: "withdrawn" });
  runner.carryOut = (order) => {
    // What the agent withdrew before the answer came is no longer there to be decided.
    if (order.kind !== "decide") return runner.usual(order);
    return {
      problem: { code: "ask-closed", detail: "The agent does not wait for this any more." },
    };
  };
  const ends = new Set<string>();
  for (let round = 0; round < 100; round++) {
    runner.ask(id, `r${round}`);
    const ask = await bench.ask(id);
    for (let turn = 0; turn < round % 7; turn++) await Promise.resolve();
    const early = round % 2 === 0;
    if (early) runner.say(id, withdrawn(`r${round}`));
    for (let turn = 0; turn < round % 13; turn++) await Promise.resolve();
    const answered = refusal(bench.engine.asks.answer(ask.id, allow(ask.hash), desk));
    if (!early) runner.say(id, withdrawn(`r${round}`));
    ends.add((await answered).code);
    await bench.stored(runner, id);
    await until(() => bench.engine.asks.list().length === 0);
    expect((await bench.store.ask(ask.id))?.status).toBe("cancelled");
  }
  expect(["expired", "undefined"]).toEqual(expect.arrayContaining([...ends]));
});

test("[HB23] an ask that is opened and closed in one batch of lines does not stay open", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const facts = { kind: "permission", title: "Bash", tool: "Bash", input: {}, suggestions: [] };
  runner.say(
    id,
    note("ask_opened", { requestId: "x", ...facts }),
    note("ask_closed", { requestId: "x", how: "withdrawn" }),
  );
  await bench.stored(runner, id);
  expect(bench.engine.asks.list()).toEqual([]);
  const { run = "" } = runner.runs.get(id) ?? {};
  runner.say(
    id,
    note("ask_opened", { requestId: "y", ...facts }),
    note("run_ended", { run, status: "crashed", kind: "signal", sentence: "Gone." }),
  );
  await until(() => bench.engine.sessions.get(id).state === "crashed");
  expect(bench.engine.asks.list()).toEqual([]);
  expect(await bench.store.openAsks()).toEqual([]);
});

test("[HB24] an ask with a time limit is denied when the limit has passed, and not because a clock was set", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const runner = await bench.runner();
  const slow = await bench.running(runner, { askLimitMinutes: 60 });
  const fast = await bench.running(runner, { askLimitMinutes: 0.5 });
  runner.ask(slow, "s");
  await bench.ask(slow);
  for (const hours of [1, -1, -24, 24]) {
    time.setWall(hours * 3_600_000);
    for (let look = 0; look < 3; look++) time.tick();
    expect(bench.engine.asks.list().map(({ requestId }) => requestId)).toEqual(["s"]);
  }
  runner.ask(fast, "f");
  await bench.ask(fast);
  time.tick();
  time.pass(30_000);
  // An order that a wrong clock had given for the other ask would have come before this one.
  await until(() => runner.orders("decide").length > 0);
  const [order, ...more] = runner.orders("decide");
  expect(more).toEqual([]);
  expect(order).toMatchObject({ requestId: "f", how: "expired", by: "the time limit" });
  expect(order?.decision).toMatchObject({
    behavior: "deny",
    message: expect.stringMatching(
      /^Nobody answered within .* minutes, so this was not allowed\.$/,
    ),
  });
  expect(bench.engine.asks.list().map(({ requestId }) => requestId)).toEqual(["s"]);
  const [ask] = bench.engine.asks.list();
  expect(ask?.status).toBe("open");
  await bench.stored(runner, fast);
  const items = await bench.engine.history.listItems(fast, undefined, 50);
  expect(items.filter(({ kind }) => kind === "ask")).toMatchObject([{ status: "expired" }]);
  const entries = await bench.store.auditBefore(undefined, 100);
  const facts = entries.find(({ what }) => what === "expired")?.facts;
  expect(facts).toMatchObject({ tool: "Bash", input: "run f" });
  const over = String(facts?.["ask"]);
  const late: unknown = await bench.engine.asks
    .answer(over, allow("0".repeat(64)), desk)
    .catch((failure: unknown) => failure);
  expect(String(late)).toContain("nobody answered within its time limit");
});

test("an error about a machine whose runner is not connected names the machine", async () => {
  await using bench = await Bench.open();
  const [agent] = await bench.engine.settings.listAgents();
  expect(agent?.problem).toContain("The runner of this machine is not connected");
});

test("[HB25] an answer waits in the store until the runner has carried it out", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.ask(id, "a");
  const ask = await bench.ask(id);
  await bench.stored(runner, id);
  runner.leave();
  await bench.engine.asks.answer(ask.id, allow(ask.hash), desk);
  expect(await bench.store.orders(OWN)).toHaveLength(1);
  await bench.closeHub();
  await bench.openHub();
  const back = await bench.runner(runner);
  await until(() => back.orders("decide").length === 1);
  expect(back.of("order").map((frame) => frame.id)).toContain(ask.id);
  await bench.stored(back, id);
  await until(async () => (await bench.store.orders(OWN)).length === 0);
  expect(bench.engine.asks.list()).toEqual([]);
  const told = await refusal(bench.engine.asks.answer(ask.id, allow(ask.hash), desk));
  expect(told.code).toBe("already-answered");
});
