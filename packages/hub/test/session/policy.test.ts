import { expect, setDefaultTimeout, test } from "bun:test";
import { EngineStage, person } from "@signalbox/testing/engine-stage";
import { Bench, OWN, desk, refusal } from "./bench.ts";
import { EngineTime } from "./engine-time.ts";
import { FakeRunner, until } from "./fake-runner.ts";

setDefaultTimeout(180_000);

const MINUTE_MS = 60_000;
const told = (runner: FakeRunner) => runner.orders("policy").map(({ policy }) => policy);
async function changes(bench: Bench) {
  const entries = (await bench.store.audit(0, 100)).filter(({ what }) => what === "policy-changed");
  return entries.map(({ by, facts }) => `${String(facts["from"])} → ${String(facts["to"])}: ${by}`);
}

test("[HB40] autonomous ends automatically, also for a running agent, and the audit log has its beginning and its end", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const runner = await bench.runner();
  const id = await bench.running(runner);
  await bench.engine.sessions.change(
    id,
    { policy: "autonomous", confirmed: true, bypassMinutes: 60 },
    desk,
  );
  time.pass(30 * MINUTE_MS);
  expect(bench.engine.sessions.get(id)).toMatchObject({ policy: "autonomous" });
  expect(bench.engine.sessions.get(id).bypassUntil).toBeGreaterThan(0);
  time.pass(30 * MINUTE_MS);
  await until(() => bench.engine.sessions.get(id).policy === "default");
  await until(() => told(runner).length === 2);
  expect(told(runner)).toEqual(["autonomous", "default"]);
  expect(bench.engine.sessions.get(id).bypassUntil).toBeUndefined();
  expect(await changes(bench)).toEqual([
    "default → autonomous: desk",
    "autonomous → default: the time limit",
  ]);
});

test("[HB48] autonomous is refused without a confirmation, for new and existing sessions, and the audit log says who confirmed it", async () => {
  await using bench = await Bench.open();
  const needed = { status: 422, code: "confirmation-needed" };
  expect(await refusal(bench.create({ policy: "autonomous" }))).toEqual(needed);
  expect(bench.engine.sessions.list()).toEqual([]);
  const { id } = await bench.create();
  const asked = bench.engine.sessions.change(
    id,
    { policy: "autonomous", title: "not this either" },
    desk,
  );
  expect(await refusal(asked)).toEqual(needed);
  expect(bench.engine.sessions.get(id)).toMatchObject({ policy: "default", title: "work" });
  expect(await changes(bench)).toEqual([]);

  await bench.engine.sessions.change(id, { policy: "autonomous", confirmed: true }, desk);
  const made = await bench.create({ policy: "autonomous", confirmed: true });
  expect(made.options).not.toHaveProperty("confirmed");
  const facts = (await bench.store.audit(0, 100)).map((entry) => entry.facts);
  const confirmed = facts.filter((fact) => fact["confirmed"] === true);
  expect(confirmed.map(({ to, policy }) => to ?? policy)).toEqual(["autonomous", "autonomous"]);
  expect(confirmed.map(({ byDevice }) => byDevice)).toEqual([desk.device, desk.device]);
});

test("[HB40] a clock that is set back does not prolong autonomous", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const { id } = await bench.create({ policy: "autonomous", confirmed: true, bypassMinutes: 60 });
  time.tick();
  time.setWall(-24 * 60 * MINUTE_MS);
  time.pass(60 * MINUTE_MS);
  await until(() => bench.engine.sessions.get(id).policy === "default");
});

test("[HB41] a policy that removes rights reaches a running agent when its disconnected runner is back", async () => {
  const time = new EngineTime();
  await using bench = await Bench.open({ clocks: time });
  const runner = await bench.runner();
  const autonomous = { policy: "autonomous", confirmed: true, bypassMinutes: 60 } as const;
  const id = await bench.running(runner, autonomous);
  expect(runner.orders("start")[0]?.policy).toBe("autonomous");
  await bench.stored(runner, id);
  runner.leave();
  const refused = await refusal(
    bench.engine.sessions.change(id, { policy: "autonomous", confirmed: true }, desk),
  );
  expect(refused).toEqual({ status: 503, code: "runner-away" });
  time.pass(60 * MINUTE_MS);
  await until(() => bench.engine.sessions.get(id).policy === "default");
  await bench.closeHub();
  await bench.openHub();
  const back = await bench.runner(runner);
  await until(() => told(back).length === 1);
  expect(told(back)).toEqual(["default"]);
  await until(async () => (await bench.store.orders(OWN)).length === 0);
});

test("[HB42] a session whose agent refuses autonomous is not shown as autonomous", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner);
  const problem = { code: "request-refused", detail: "not here" };
  runner.carryOut = () => ({ problem });
  const refused = await refusal(
    bench.engine.sessions.change(id, { policy: "autonomous", confirmed: true }, desk),
  );
  expect(refused.code).toBe("request-refused");
  expect(bench.engine.sessions.get(id).policy).toBe("default");
  expect((await changes(bench)).at(-1)).toBe("autonomous → default: the hub: the agent refused it");
});

test("[HB84] a session whose agent refuses a stricter policy shows the policy that its run has", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner, { policy: "accept-edits" });
  const problem = { code: "bad-input", detail: "not in this run" };
  let accepted: string[] = [];
  runner.carryOut = (order) =>
    order.kind !== "policy" || accepted.includes(order.policy) ? {} : { problem };
  const change = (policy: "supervised") => bench.engine.sessions.change(id, { policy }, desk);
  expect((await refusal(change("supervised"))).code).toBe("bad-input");
  expect(bench.engine.sessions.get(id).policy).toBe("accept-edits");
  accepted = ["default"];
  expect((await refusal(change("supervised"))).code).toBe("bad-input");
  expect(bench.engine.sessions.get(id).policy).toBe("default");
  expect(told(runner).at(-1)).toBe("default");

  // The same where the runner was away: what it can do by itself is to ask as under default.
  runner.leave();
  await change("supervised");
  expect(bench.engine.sessions.get(id).policy).toBe("supervised");
  const back = new FakeRunner(bench.engine, runner.id);
  back.carryOut = runner.carryOut;
  await back.hello(runner);
  await until(() => bench.engine.sessions.get(id).policy === "default");
});

test("[HB41] autonomous ends under a running agent, too, when a policy is chosen that cannot begin there", async () => {
  await using stage = await EngineStage.open();
  const command = (name: string) => `::tool Bash ${JSON.stringify({ command: `touch ${name}` })}`;
  const { id } = await stage.create({
    policy: "autonomous",
    confirmed: true,
    prompt: { text: command("one") },
  });
  await stage.turns(id, 1);
  expect(stage.has("one")).toBe(true);
  const change = stage.engine.sessions.change(id, { policy: "supervised" }, person);
  expect((await refusal(change)).code).toBe("bad-input");
  expect(stage.engine.sessions.get(id).policy).toBe("default");
  await stage.send(id, command("two"));
  expect((await stage.ask(id)).input).toMatchObject({ command: "touch two" });
  expect(stage.has("two")).toBe(false);
});

test("[HB40] a duration without the policy autonomous is refused and changes nothing", async () => {
  await using bench = await Bench.open();
  const { id } = await bench.create();
  const change = { title: "new", bypassMinutes: 5 };
  for (const policy of [undefined, "plan"] as const) {
    const more = policy && { policy };
    const no = { status: 422, code: "no-bypass" };
    expect(await refusal(bench.engine.sessions.change(id, { ...change, ...more }, desk))).toEqual(
      no,
    );
    expect(await refusal(bench.create({ bypassMinutes: 5, ...more }))).toEqual(no);
  }
  expect(bench.engine.sessions.get(id)).toMatchObject({ policy: "default", named: false });
});

test("[HB43] modes in which the agent asks nobody are refused, whoever asks for them; a fork is never autonomous", async () => {
  await using bench = await Bench.open();
  const runner = await bench.runner();
  const id = await bench.running(runner, { policy: "autonomous", confirmed: true });
  for (const mode of ["bypassPermissions", "dontAsk", "auto", "whatever", ["default"], null]) {
    const asked = bench.engine.sessions.request(id, "set_permission_mode", { mode }, desk);
    expect(await refusal(asked)).toEqual({ status: 422, code: "askless-mode" });
  }
  const made = await refusal(bench.create({ mode: "bypassPermissions" }));
  expect(made.code).toBe("askless-mode");
  const other = await refusal(bench.engine.sessions.request(id, "initialize", {}, desk));
  expect(other).toEqual({ status: 422, code: "no-such-request" });
  expect(runner.orders("request")).toEqual([]);
  await bench.engine.sessions.request(id, "set_permission_mode", { mode: "plan" }, desk);
  expect(runner.orders("request")).toHaveLength(1);

  await bench.send(id, "hello"); // so that there is a conversation
  await until(() => bench.engine.sessions.get(id).queue.length === 0);
  const fork = await bench.engine.sessions.fork(id, crypto.randomUUID(), {}, desk);
  expect(fork.policy).toBe("default");
  expect(fork.bypassUntil).toBeUndefined();
  await until(() => runner.orders("start").length === 2);
  expect(runner.orders("start")[1]?.policy).toBe("default");
});
