import { expect, setDefaultTimeout, test } from "bun:test";
import { Bench, desk, OWN } from "./bench.ts";
import { until } from "./fake-runner.ts";
import { init, result, said } from "./speech.ts";

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

test("[LG32] when another hub has claimed a runner, nothing that a person or the runner does with its sessions is stored here", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const { sessions, prompts, terminals, asks } = bench.engine;
  const id = await bench.running(runner);
  const first = await bench.send(id, "go on");
  await until("the message has arrived", () => sessions.get(id).queue.length === 0);
  runner.say(id, said("m1", "done"), result());
  runner.ask(id, "a");
  await bench.stored(runner, id);
  runner.carryOut = (order) => {
    if (order.kind === "decide") return undefined; // the order stays in the store
    if (order.kind === "start") return { problem: { code: "no", detail: "It does not start." } };
    return runner.usual(order);
  };
  const waiting = (await bench.create()).id;
  const queued = await bench.send(waiting, "waits");
  await until("the start was refused", () => sessions.get(waiting).state === "crashed");
  const { id: ask, hash } = await bench.ask(id);
  await asks.answer(ask, { hash, decision: { behavior: "allow" } }, desk);
  const shell = await terminals.open(crypto.randomUUID(), id, {}, desk);
  runner.frame({ type: "terminals", terminals: [shell] });
  await until("the shell is listed", () => terminals.list().length === 1);

  bench.owners.takeOver(OWN);
  const readAll = async () => ({
    sessions: await bench.store.storedSessions(),
    prompts: await bench.store.prompts(),
    orders: (await bench.store.orders(OWN)).length,
    shells: await bench.store.setting(`open-shells.${OWN}`),
    audit: await bench.store.auditHead(),
  });
  const stored = await readAll();
  expect(stored).toMatchObject({ orders: 1, shells: expect.stringContaining(shell.id) });
  const actions = {
    create: () => bench.create(),
    send: () => bench.send(id, "late"),
    move: () => prompts.move(waiting, queued.id, { now: true }),
    withdraw: () => prompts.withdraw(waiting, queued.id),
    rename: () => sessions.change(id, { title: "late" }, desk),
    setPolicy: () => sessions.change(id, { policy: "plan" }, desk),
    fork: () => sessions.fork(id, crypto.randomUUID(), { before: first.id }, desk),
    delete: () => sessions.delete(waiting, desk),
    openShell: () => terminals.open(crypto.randomUUID(), id, {}, desk),
    closeShell: () => terminals.close(shell.id, desk),
  };
  for (const [name, act] of Object.entries(actions)) {
    const outcome: unknown = await act().catch((failure: unknown) => failure);
    expect({ [name]: outcome }).toMatchObject({ [name]: { why: "moved" } });
  }
  const decided = runner.of("order").find(({ order }) => order.kind === "decide");
  runner.frame({ type: "done", id: decided?.id ?? "" });
  await bench.store.commit([]); // what was committed before is stored
  expect(await readAll()).toEqual(stored);
});
