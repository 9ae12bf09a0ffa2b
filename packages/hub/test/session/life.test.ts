import { expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type SessionSummary } from "@signalbox/hub/engine";
import { StoreError } from "@signalbox/hub/store";
import type { Item } from "@signalbox/timeline";
import { Bench, desk, OWN, refusal } from "./bench.ts";
import { FakeRunner, until } from "./fake-runner.ts";
import { person, EngineStage } from "@signalbox/testing/engine-stage";
import { begin, delta, init, result, said } from "./speech.ts";

setDefaultTimeout(180_000);

test("[HB51] an idle session parks and wakes with the next message in the same conversation; a missing conversation is reported, and the next message begins a new one", async () => {
  await using stage = await EngineStage.open({ parkMs: 400, tickMs: 50 });
  const { id } = await stage.create({ prompt: { text: "::say My name is Ada." } });
  const view = () => stage.engine.sessions.get(id);
  await stage.until(() => view().state === "parked");
  expect(stage.agents()).toEqual([]);
  expect(view().problem).toBeUndefined();
  await stage.send(id, "::say I remember.");
  await stage.until(() => view().summary.turns === 2);
  expect(stage.requests.at(-1)?.includes("My name is Ada.")).toBe(true);
  await stage.until(() => view().state === "parked");

  rmSync(join(stage.home, ".claude", "projects"), { recursive: true });
  await stage.send(id, "::say Who am I?");
  await stage.until(() => view().state === "crashed");
  expect(view().problem).toBeString();
  expect(view().queue).toHaveLength(1); // kept, and not tried again by itself
  expect(await stage.texts(id)).toEqual(["My name is Ada.", "I remember."]);
  const { turns } = view().summary;
  await stage.engine.sessions.wake(id, person);
  await stage.turns(id, turns + 1);
  expect(stage.requests.at(-1)?.includes("My name is Ada.")).toBe(false);
  expect(await stage.texts(id)).toEqual(["My name is Ada.", "I remember.", "Who am I?"]);
});

test("[HB52] a fork contains the whole conversation and continues independently, and a retry begins at the last good message", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({ prompt: { text: "::say Keep this." } });
  await stage.turns(id, 1);
  const failing = "::error 400 x9 broken";
  await stage.send(id, failing);
  await stage.turns(id, 2);
  expect((await stage.items(id)).at(-1)).toMatchObject({ kind: "turn-end", status: "error" });
  await stage.engine.sessions.retry(id, person, {});
  await stage.turns(id, 3);
  const said = stage.requests.at(-1) ?? "";
  expect(said.includes("Keep this.")).toBe(true);
  expect(said.split(failing).length - 1).toBe(1); // the failed turn is cut off
  for (const turns of [4, 5]) {
    await stage.engine.sessions.retry(id, person, {});
    await stage.turns(id, turns);
    const again = stage.requests.at(-1) ?? "";
    expect(again.includes("Keep this.")).toBe(true);
    expect(again.split(failing).length - 1).toBe(1);
    expect(stage.engine.sessions.get(id).problem).toBeUndefined();
  }

  const fork = await stage.engine.sessions.fork(id, crypto.randomUUID(), {}, person);
  expect(fork).toMatchObject({ forkOf: id, title: expect.stringContaining("(fork)") as unknown });
  expect(await stage.texts(fork.id)).toEqual(await stage.texts(id));
  await stage.send(fork.id, "::say Said in the fork.");
  await stage.until(() => stage.engine.sessions.get(fork.id).summary.turns === 6);
  expect(stage.requests.at(-1)?.includes("Keep this.")).toBe(true);
  const rows = await stage.store.sessions();
  expect(new Set(rows.map(({ conversation }) => conversation)).size).toBe(2);
  await stage.engine.sessions.stop(fork.id, person);
  expect(stage.engine.sessions.get(fork.id).state).toBe("stopped");
  await stage.send(id, "::say Back in the original.");
  await stage.turns(id, 6);
  expect(stage.requests.at(-1)?.includes("Said in the fork.")).toBe(false);
  await stage.engine.sessions.delete(id, person); // while it runs
  await stage.until(() => stage.agents().length === 0);
  expect(stage.engine.sessions.list().map((view) => view.id)).toEqual([fork.id]);
});

test("[HB52] a retry after a success, a retry of the first message, and the messages after them continue from where the conversation was cut", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({ prompt: { text: "::say First." } });
  await stage.turns(id, 1);
  await stage.engine.sessions.retry(id, person, {});
  await stage.turns(id, 2);
  await stage.send(id, "::say Second.");
  await stage.turns(id, 3);
  for (const turns of [4, 5]) {
    await stage.engine.sessions.retry(id, person, {});
    await stage.turns(id, turns);
  }
  await stage.send(id, "::error 400 x9 broken");
  await stage.turns(id, 6);
  await stage.engine.sessions.retry(id, person, {});
  await stage.turns(id, 7);
  const { state, problem } = stage.engine.sessions.get(id);
  expect([state, problem]).toEqual(["running", undefined]);
  const asked = stage.requests.at(-1) ?? "";
  const times = (text: string) => asked.split(text).length - 1;
  expect([times("::say First."), times("::say Second."), times("::error 400")]).toEqual([1, 1, 1]);
});

test("[HB52] simultaneous retries are one; waiting messages are sent after it, and the last of them is then the last message; a fork leaves out what was cut off", async () => {
  await using stage = await EngineStage.open();
  const { id } = await stage.create({ prompt: { text: "::say One." } });
  await stage.turns(id, 1);
  await stage.send(id, "::say Two.");
  await stage.turns(id, 2);
  await Promise.all([1, 2, 3].map(() => stage.engine.sessions.retry(id, person, {})));
  await stage.engine.sessions.retry(id, person, {}).catch(() => {}); // whether the message has left or not
  await stage.until(() => stage.engine.sessions.get(id).queue.length === 0);
  await stage.until(() => stage.engine.sessions.get(id).summary.status === "idle");
  const times = (text: string) => (stage.requests.at(-1) ?? "").split(text).length - 1;
  expect([times("::say One."), times("::say Two.")]).toEqual([1, 1]);

  const prompts = (await stage.items(id)).filter(({ kind }) => kind === "prompt");
  const [original, again] = [prompts[1], prompts.at(-1)];
  expect(original?.id).not.toBe(again?.id);
  const fork = await stage.engine.sessions.fork(
    id,
    crypto.randomUUID(),
    { before: again?.id ?? "" },
    person,
  );
  await stage.send(fork.id, "::say Else.");
  await stage.until(() => (stage.requests.at(-1) ?? "").includes("::say Else."));
  expect([times("::say One."), times("::say Two.")]).toEqual([1, 0]);
  await stage.engine.sessions.stop(fork.id, person);

  const { turns } = stage.engine.sessions.get(id).summary;
  const untilGo = "while [ ! -e go.txt ]; do sleep 0.05; done";
  await stage.send(id, `::tool Bash ${JSON.stringify({ command: untilGo })}\n::say Three.`);
  await stage.until(() => (stage.requests.at(-1) ?? "").includes("::say Three."));
  await stage.send(id, "::say Four.");
  await stage.engine.sessions.retry(id, person, {});
  await Bun.write(join(stage.folder, "go.txt"), "");
  await stage.until(() => (stage.requests.at(-1) ?? "").includes("::say Four."));
  await stage.until(() => stage.engine.sessions.get(id).summary.status === "idle");
  const before = stage.requests.length;
  await stage.engine.sessions.retry(id, person, {});
  await stage.until(() => stage.requests.length > before && times("::say Four.") > 0);
  await stage.until(() => stage.engine.sessions.get(id).summary.status === "idle");
  expect([times("::say Three."), times("::say Four.")]).toEqual([1, 1]);
  expect(stage.engine.sessions.get(id).summary.turns).toBeGreaterThan(turns + 2);
});

test("[HB52] a fork at a person's message continues from there, and one at an unknown message is refused", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "hello");
  const mine = {
    type: "user",
    uuid: crypto.randomUUID(),
    message: { role: "user", content: "two" },
  };
  runner.say(id, said("m1", "one"), result());
  runner.say(id, { from: "host", line: JSON.stringify(mine) });
  runner.say(id, said("m2", "three"), result());
  await bench.stored(runner, id);
  const nobody = bench.engine.sessions.fork(id, crypto.randomUUID(), { at: "nope" }, desk);
  expect(await refusal(nobody)).toEqual({ status: 422, code: "no-such-message" });

  const fork = await bench.engine.sessions.fork(id, crypto.randomUUID(), { at: mine.uuid }, desk);
  const items = JSON.stringify(await bench.engine.history.listItems(fork.id, undefined, 100));
  expect(items).toContain('"two"');
  expect(items).not.toContain('"three"');
  await bench.send(fork.id, "go on");
  await until(() => runner.orders("prompt").some(({ session }) => session === fork.id));
});

test("[HB52] a fork exists completely or not at all, whenever the hub ends", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "hello");
  await until(() => runner.orders("prompt").length > 0); // else its turn begins behind all the others
  for (let n = 0; n < 700; n++) runner.say(id, said(`m${n}`, `text ${n}`));
  runner.say(id, said("long", "l".repeat(40_000)), result());
  await bench.stored(runner, id);
  const forked = crypto.randomUUID();
  const death = Promise.withResolvers<void>();
  death.promise.catch(() => {}); // the commit may not wait for it yet when it fails
  bench.gate.linger = death.promise; // the first thing that is written is also the last
  const forking = refusal(bench.engine.sessions.fork(id, forked, {}, desk));
  await until(async () => (await bench.store.sessions()).some((row) => row.id === forked));
  death.reject(new StoreError("closed", "The hub died."));
  await forking;
  await bench.closeHub();
  await bench.openHub();

  const original = bench.engine.sessions.get(id);
  expect(bench.engine.sessions.get(forked)).toMatchObject({ forkOf: id, state: "new" });
  expect(bench.engine.sessions.get(forked).summary.turns).toBe(original.summary.turns);
  const texts = async (of: string) =>
    (await bench.engine.history.listItems(of, undefined, 1000))
      .filter(({ kind }) => kind === "text")
      .map(bare);
  expect(await texts(forked)).toEqual(await texts(id));
  const back = await bench.runner(runner);
  expect((await bench.engine.sessions.fork(id, forked, {}, desk)).id).toBe(forked);
  await until(() => back.orders("start").some(({ session }) => session === forked));
  await bench.engine.sessions.delete(id, desk);
  const blob = JSON.stringify(await texts(forked)).match(/"\$blob":"([0-9a-f]+)"/)?.[1];
  expect(await bench.store.blobSize(blob ?? "")).toBe(40_000);
});

/** An item, but for what is another's in another session. */
function bare(item: Item): unknown {
  return { ...item, rev: 0 };
}

test("[HB52] a fork before a person's message continues from the one before it, and a fork before the first begins a new conversation", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const mine = (text: string) => {
    const message = { role: "user", content: text };
    return { type: "user", uuid: crypto.randomUUID(), parent_tool_use_id: null, message };
  };
  const [first, second] = [mine("one"), mine("three")];
  runner.say(id, init(), JSON.stringify(first), said("m1", "two"), result());
  runner.say(id, { from: "host", line: JSON.stringify(second) });
  runner.say(id, JSON.stringify(second), said("m2", "four"), result());
  await bench.stored(runner, id);
  const nobody = bench.engine.sessions.fork(id, crypto.randomUUID(), { before: "nope" }, desk);
  expect(await refusal(nobody)).toEqual({ status: 422, code: "no-such-message" });

  const fork = await bench.engine.sessions.fork(
    id,
    crypto.randomUUID(),
    { before: second.uuid },
    desk,
  );
  const items = JSON.stringify(await bench.engine.history.listItems(fork.id, undefined, 100));
  expect([items.includes('"two"'), items.includes('"three"')]).toEqual([true, false]);
  const anew = await bench.engine.sessions.fork(
    id,
    crypto.randomUUID(),
    { before: first.uuid },
    desk,
  );
  expect(
    JSON.stringify(await bench.engine.history.listItems(anew.id, undefined, 100)),
  ).not.toContain('"one"');
  await until(() => runner.orders("start").length === 3);
  const [, resumed, fresh] = runner.orders("start");
  const two = (await bench.engine.history.listLines(id, { after: 0, limit: 100 })).find(
    ({ text }) => text?.includes('"two"'),
  );
  const at = /"uuid":"([^"]+)"/.exec(two?.text ?? "")?.[1];
  expect(resumed).toMatchObject({ status: "forked", launch: { resume: { at, fork: true } } });
  expect([fresh?.status, fresh?.launch["resume"]]).toEqual(["new", undefined]);
});

test("[HB53] a fork that could not start yet later begins as a fork, at its message", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.send(id, "hello");
  runner.say(id, said("m1", "one"), result());
  await bench.stored(runner, id);
  const lines = await bench.engine.history.listLines(id, { after: 0, limit: 100 });
  const one = lines.find(({ text }) => text?.includes('"one"'));
  const at = /"uuid":"([^"]+)"/.exec(one?.text ?? "")?.[1] ?? "";
  runner.say(id, said("m2", "two"), result());
  await bench.stored(runner, id);
  runner.leave();

  const forked = crypto.randomUUID();
  const same = await Promise.all(
    [1, 2].map(() => bench.engine.sessions.fork(id, forked, { at }, desk)), // the same command twice
  );
  expect(same.map((view: SessionSummary) => view.id)).toEqual([forked, forked]);
  const items = await bench.engine.history.listItems(forked, undefined, 100);
  expect(JSON.stringify(items)).toContain('"one"');
  expect(JSON.stringify(items)).not.toContain('"two"');
  await bench.closeHub();
  await bench.openHub();
  const back = await bench.runner(runner);
  await bench.send(forked, "go on");
  await until(() => back.orders("start").length === 1);
  expect(back.orders("start")[0]).toMatchObject({
    session: forked,
    status: "forked",
    launch: { resume: { at, fork: true } },
  });
  const own = crypto.randomUUID();
  await until(() => back.orders("prompt").length === 1);
  back.say(forked, init(own), said("m3", "three"), result());
  await bench.stored(back, forked);
  await bench.engine.sessions.stop(forked, desk);
  await bench.engine.sessions.wake(forked, desk);
  await until(() => back.orders("start").length === 2);
  expect(back.orders("start")[1]?.launch["resume"]).toEqual({ id: own, fork: false });
});

test("[HB54] stop and delete wait for the end of the run, and stopping twice or after the end is no error", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  runner.say(id, ...begin("m"), delta("half a sen"));
  const over = { problem: { code: "not-running", detail: "This run is over." } };
  runner.carryOut = (order) => (runner.runs.has(id) ? runner.usual(order) : over);
  await Promise.all([bench.engine.sessions.stop(id, desk), bench.engine.sessions.stop(id, desk)]);
  expect(bench.engine.sessions.get(id).state).toBe("stopped");
  expect(bench.engine.sessions.get(id).summary.status).not.toBe("active");
  await bench.engine.sessions.stop(id, desk);
  runner.carryOut = (order) => runner.usual(order);
  await bench.engine.sessions.wake(id, desk);
  await until(() => bench.engine.sessions.get(id).state === "running");
  runner.carryOut = ({ kind }) => {
    if (kind === "stop") setTimeout(() => runner.end(id, "crashed", "signal"), 20);
    return over;
  };
  await bench.engine.sessions.stop(id, desk);
  expect(bench.engine.sessions.get(id).state).toBe("crashed");
  const away = await refusal(bench.engine.sessions.interrupt(id, desk));
  expect(away).toEqual({ status: 409, code: "not-running" });
});

test("[HB55] a session whose run the runner refuses to start has crashed, with the reason", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  runner.carryOut = () => ({ problem: { code: "no-such-driver", detail: "There is none." } });
  const { id } = await bench.create({ prompt: { text: "hello" } });
  await until(() => bench.engine.sessions.get(id).state === "crashed");
  expect(bench.engine.sessions.get(id)).toMatchObject({
    problem: "There is none.",
    queue: [{ text: "hello", status: "waiting" }],
  });
  runner.carryOut = (order) => runner.usual(order);
  await bench.engine.sessions.wake(id, desk);
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
});

test("[HB67] a session waits for its runner that is not connected, and an unknown runner is refused", async () => {
  const [paired, far] = [crypto.randomUUID(), crypto.randomUUID()];
  await using bench = await Bench.open({
    pairedRunners: () => [{ id: paired, name: "the attic" }],
  });
  const make = (runner: string) => bench.create({ runner, prompt: { text: "hello" } });
  const why: unknown = await make(far).catch((failure: unknown) => failure);
  expect(why).toMatchObject({ status: 422, code: "no-such-runner" });
  const names = `${paired} (the attic), ${OWN} (the hub's own)`;
  expect((why as Error).message).toBe(
    `The runner "${far}" does not exist. Choose one of: ${names}.`,
  );
  expect(bench.engine.sessions.list()).toEqual([]);
  const looked: unknown = await bench.engine.folders
    .list(far, "/", desk)
    .catch((failure) => failure);
  expect(looked).toMatchObject({ status: 404, code: "no-such-runner" });
  expect((looked as Error).message).toBe((why as Error).message);
  const away = { status: 503, code: "runner-away" };
  expect(await refusal(bench.engine.folders.list(paired, "/", desk))).toEqual(away);

  const { id, problem } = await make(paired);
  expect(problem).toContain("The runner of this session is not connected");
  await bench.runner(undefined, paired);
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
  expect(bench.engine.sessions.get(id).problem).toBeUndefined();
  await bench.runner(undefined, far); // let in meanwhile
  await make(far);
  bench.engine.runners.removeRunner(far);
  expect((await refusal(make(far))).code).toBe("no-such-runner");
});

test("a folder that cannot be used is refused with the reason", async () => {
  await using bench = await Bench.open();
  const said = (folder: string) =>
    bench.create({ folder }).catch((why: unknown) => (why as Error).message);
  expect(await said("work")).toContain("it is not an absolute path.");
  expect(await said("/tmp/a\0b")).toBe(
    "The folder /tmp/a␀b cannot be used: its name contains a NUL character.",
  );
});

test("a missing extra folder is refused by the hub on its own machine, and by the runner on another", async () => {
  await using bench = await Bench.open();
  const missing = { addDirs: ["/tmp", "/no/such/folder"] };
  expect(await refusal(bench.create(missing))).toEqual({ status: 422, code: "bad-folder" });
  const far = await new FakeRunner(bench.engine, crypto.randomUUID()).hello();
  const detail = "The folder /no/such/folder does not exist.";
  far.carryOut = (order) =>
    order.kind === "list-folder" && order.path === "/no/such/folder"
      ? { problem: { code: "folder-unusable", detail } }
      : far.usual(order);
  const there = { ...missing, runner: far.id };
  expect((await refusal(bench.create(there))).code).toBe("folder-unusable");
  expect(bench.engine.sessions.list()).toEqual([]);
  await bench.create({ addDirs: ["/tmp"], runner: far.id });
  expect(bench.engine.sessions.list()).toHaveLength(1);
});
