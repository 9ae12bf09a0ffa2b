import type { AgentDecision } from "@signalbox/api";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { markedProcesses } from "@signalbox/host/agents";
import type { FakeHub } from "../link/fake-hub.ts";
import { obey, openRunner, startFake } from "./runner-stage.ts";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

const ofRun = (session: string) => ({ session, run: `run-of-${session}` });

/** A tool call that the agent asks about. */
const ask = (id: string, more: object = {}) => ({
  request_id: id,
  request: {
    subtype: "can_use_tool",
    tool_name: "Bash",
    input: { command: "date" },
    tool_use_id: "call-1",
    ...more,
  },
});

const answers = (hub: FakeHub, session: string) =>
  hub.texts(session, "agent").flatMap((line) => {
    const { type, text } = JSON.parse(line) as { type: string; text?: string };
    return type === "status" && text ? [JSON.parse(text) as Record<string, unknown>] : [];
  });

/** As many lines go all the way at another runner: by then a runner that does not wait has read them, too. */
async function deliverElsewhere(count: number): Promise<void> {
  await using stage = await openRunner();
  const { hub } = stage;
  await hub.order(startFake("s", "obeys"));
  await hub.order(obey("s", { count, size: 1000 }));
  await hub.until(() => hub.texts("s", "agent").length > count);
}

describe("a run", () => {
  test("[LK15] is started and stopped with markers in the log and with answers", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    expect(await hub.order(startFake("s", "obeys"))).not.toHaveProperty("problem");
    expect(await hub.note("s", "run_started")).toMatchObject({
      run: "run-of-s",
      status: "new",
      driver: "stdio",
      policy: "default",
      agent: { version: "2.1.325", versionClass: "tested" },
      capabilities: { streaming: true },
    });
    const stop = { kind: "stop", ...ofRun("s"), park: false } as const;
    expect(await hub.order(stop)).not.toHaveProperty("problem");
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "ended", kind: "stopped" });
    expect(await hub.order(stop)).toMatchObject({ problem: { code: "not-running" } });
  });

  test("[LK15] ends as parked when it is parked", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order({ kind: "stop", ...ofRun("s"), park: true });
    const sentence = "The session was parked. Your next message wakes it.";
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "parked", sentence });
  });

  test.each([
    ["crashed", "dies at once", {}],
    ["not-found", "obeys", { agentPath: "/no/such/program" }],
    ["folder-unusable", "obeys", { folder: "/no/such/folder" }],
    ["resume-failed", "dies at once", { resume: { id: "gone" } }],
  ])("[LK15] has ended, and nothing else, when its start fails (%s)", async (kind, how, launch) => {
    await using stage = await openRunner();
    const { hub } = stage;
    const done = await hub.order(startFake("s", how, { launch }));
    expect(done.problem).toMatchObject({ code: kind });
    const ended = await hub.note("s", "run_ended");
    expect(ended).toMatchObject({ run: "run-of-s", status: "crashed", kind });
    expect(ended.sentence).toBe(done.problem?.detail ?? "");
    expect(hub.notes("s", "run_started")).toEqual([]);
  });

  test.each([
    ["no-such-driver", { driver: "telepathy" }],
    ["no-such-policy", { policy: "reckless" }],
  ])("is not started by an invalid order, which is refused by name: %s", async (code, more) => {
    await using stage = await openRunner();
    const done = await stage.hub.order(startFake("s", "obeys", more));
    expect(done.problem).toMatchObject({ code });
    expect(stage.hub.lines("s")).toEqual([]);
  });

  test("[LK16] is the only one of its session and of its conversation", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    const conversation = crypto.randomUUID();
    const launch = { resume: { id: conversation } };
    await hub.order(startFake("s", "obeys", { launch }));
    const again = await hub.order(startFake("s", "obeys", { run: "other" }));
    expect(again.problem).toMatchObject({ code: "already-running" });
    const elsewhere = await hub.order(startFake("t", "obeys", { launch }));
    expect(elsewhere.problem).toMatchObject({ code: "already-running" });
    const fork = { resume: { id: conversation, fork: true } };
    expect(await hub.order(startFake("u", "obeys", { launch: fork }))).not.toHaveProperty(
      "problem",
    );
    expect(hub.notes("s", "run_started")).toHaveLength(1);
  });

  test("[LK16] can follow one that ended in the same session, and the numbers of its lines continue", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order({ kind: "stop", ...ofRun("s"), park: false });
    await hub.note("s", "run_ended");
    const after = hub.lines("s").length;
    await hub.order(startFake("s", "obeys", { run: "second", after }));
    await hub.until(() => hub.notes("s", "run_started").length === 2);
    expect(hub.gaps).toBe(0);
  });

  test("[LK20] can be stopped while it starts", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.send(startFake("s", "never answers"), "start");
    await hub.until(() => hub.texts("s", "host").length > 0); // initialize was sent
    await hub.order({ kind: "stop", ...ofRun("s"), park: false });
    expect(await hub.done("start")).toMatchObject({ problem: { code: "stopped" } });
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "ended", kind: "stopped" });
  });

  test("[LK18] an agent that is killed is reported with the reason, and its children are ended", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    const marker = crypto.randomUUID();
    await hub.order(startFake("s", "obeys", { launch: { environment: { MARKER: marker } } }));
    await hub.order(obey("s", { spawn: ["sleep", "1000"] }));
    await hub.order(obey("s", { ask: ask("q1") }));
    await hub.note("s", "ask_opened");
    await hub.order(obey("s", { die: "SIGKILL" }));
    expect(await hub.note("s", "run_ended")).toMatchObject({ status: "crashed", kind: "crashed" });
    expect(hub.notes("s", "ask_closed")).toMatchObject([{ requestId: "q1", how: "withdrawn" }]);
    expect(hub.lines("s").at(-1)?.text).toContain("run_ended");
    expect(markedProcesses(`MARKER=${marker}`)).toEqual([]);
  });
});

describe("the lines of a run", () => {
  test("[LK1] are written down in order in both directions, and keep_alive is not numbered", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order(obey("s", { say: '{"type":"keep_alive"}' }));
    await hub.order(obey("s", { say: '{"type":"status","text":"\\"keep_alive\\""}' }));
    await hub.until(() => answers(hub, "s").length === 1);
    const kinds = hub.lines("s").map(({ from }) => from);
    expect(kinds).toEqual(["host", "agent", "keeper", "host", "host", "agent"]);
    expect(hub.texts("s", "agent").join("\n")).not.toContain('"type":"keep_alive"');
  });

  test("[LK3] arrive complete when they are long or not UTF-8", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order(obey("s", { count: 1, size: 3_000_000 }));
    await hub.until(() => hub.texts("s", "agent").some((line) => line.length > 3_000_000));
    expect(hub.chunks).toBeGreaterThan(1);
    await hub.order(startFake("g", "prints garbage"));
    const flawed = await hub.until(() => hub.lines("g").find((line) => line.original));
    expect(Buffer.from(flawed.original ?? "", "base64")).toEqual(Buffer.from([0xff, 0xfe]));
  });

  test("[LK9] when there is no room the agent waits, and continues when there is", async () => {
    const limits = { memory: 100_000, waiting: 1_000_000, window: 100_000 };
    await using stage = await openRunner({ limits });
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.note("s", "run_started");
    hub.silent = true;
    const count = 20_000;
    await hub.order(obey("s", { count, size: 1000 })); // 20 MB
    await until(() => stage.spilledBytes() >= limits.waiting);
    await deliverElsewhere(count);
    expect(stage.spilledBytes()).toBeLessThan(3 * limits.waiting); // the rest waits in the agent
    hub.silent = false;
    hub.acknowledgeAll();
    await hub.until(() => hub.texts("s", "agent").length > count);
    const numbers = hub.texts("s", "agent").flatMap((line) => {
      const { n } = JSON.parse(line) as { n?: number };
      return n === undefined ? [] : n;
    });
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
  });
});

describe("a disk that takes nothing", () => {
  test("[LK9] pauses reading when memory is full, and loses nothing", async () => {
    const limits = { memory: 1_000_000, waiting: 1 << 30, window: 100_000 };
    await using stage = await openRunner({ limits });
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.note("s", "run_started");
    hub.silent = true;
    rmdirSync(stage.spillFolder);
    const count = 20_000;
    await hub.order(obey("s", { count, size: 1000 }));
    const asked = hub.order({ kind: "request", ...ofRun("s"), subtype: "ping", fields: {} });
    let isAnswered = false;
    void asked.then(() => (isAnswered = true));
    await deliverElsewhere(count);
    expect(isAnswered).toBe(false);
    mkdirSync(stage.spillFolder); // there is room again
    await asked; // the agent could go on, and answered after all it had to say
    hub.silent = false;
    hub.acknowledgeAll();
    await hub.until(() => hub.texts("s", "agent").length > count);
    expect(hub.gaps).toBe(0);
  });
});

describe("asks", () => {
  test("[LK17] an ask is opened, decided once, and closed with who decided", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order(obey("s", { ask: ask("q1", { decision_reason: "because" }) }));
    expect(await hub.note("s", "ask_opened")).toMatchObject({
      requestId: "q1",
      kind: "permission",
      tool: "Bash",
      callId: "call-1",
      input: { command: "date" },
      reason: "because",
    });
    const decide = {
      kind: "decide",
      ...ofRun("s"),
      requestId: "q1",
      decision: { behavior: "allow" },
      by: "phone",
      how: "answered",
    } as const;
    expect(await hub.order(decide)).not.toHaveProperty("problem");
    await hub.until(() => answers(hub, "s").length === 1);
    expect(answers(hub, "s")).toMatchObject([
      { request_id: "q1", response: { behavior: "allow", updatedInput: { command: "date" } } },
    ]);
    expect(await hub.note("s", "ask_closed")).toMatchObject({
      requestId: "q1",
      how: "answered",
      behavior: "allow",
      by: "phone",
    });
    expect(await hub.order(decide)).toMatchObject({ problem: { code: "ask-closed" } });
  });

  test("[LK17] an ask that the agent withdraws is closed, and a late decision has no effect", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order(obey("s", { ask: ask("q1") }));
    await hub.note("s", "ask_opened");
    await hub.order(obey("s", { withdraw: "q1" }));
    expect(await hub.note("s", "ask_closed")).toMatchObject({ how: "withdrawn" });
    const late = await hub.order({
      kind: "decide",
      ...ofRun("s"),
      requestId: "q1",
      decision: { behavior: "allow" },
      by: "phone",
      how: "answered",
    });
    expect(late.problem).toMatchObject({ code: "ask-closed" });
    expect(hub.texts("s", "host").join("\n")).not.toContain('"behavior":"allow"');
  });

  test("[LK17] a decision in another shape is refused, and the ask stays open", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order(obey("s", { ask: ask("q1") }));
    await hub.note("s", "ask_opened");
    const order = {
      kind: "decide",
      ...ofRun("s"),
      requestId: "q1",
      by: "x",
      how: "answered",
    } as const;
    const wrong = { behavior: "allow", input: "all" } as unknown as AgentDecision;
    const odd = await hub.order({ ...order, decision: wrong });
    expect(odd.problem).toMatchObject({ code: "bad-decision" });
    const denied = { behavior: "deny", message: "no" } as const;
    expect(await hub.order({ ...order, decision: denied })).not.toHaveProperty("problem");
    expect(await hub.note("s", "ask_closed")).toMatchObject({ behavior: "deny", message: "no" });
  });

  test("[LK17] asks stay open while the hub is away, and are reported when it is back", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.note("s", "run_started");
    await hub.order(obey("s", { ask: ask("q1") }), "prompt");
    await hub.away();
    hub.back();
    await hub.note("s", "ask_opened");
    expect(hub.notes("s", "ask_opened")).toHaveLength(1);
    expect(hub.notes("s", "ask_closed")).toEqual([]);
  });
});

describe("policies", () => {
  const policy = (name: string) => ({ kind: "policy", ...ofRun("s"), policy: name }) as const;

  test("[LK19] a run that leaves autonomous asks again at once", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys", { policy: "autonomous" }));
    await hub.order(obey("s", { ask: ask("q1") }));
    await hub.until(() => answers(hub, "s").length === 1);
    expect(hub.notes("s", "ask_opened")).toEqual([]);
    expect(await hub.order(policy("default"))).not.toHaveProperty("problem");
    await hub.order(obey("s", { ask: ask("q2") }));
    expect(await hub.note("s", "ask_opened")).toMatchObject({ requestId: "q2" });
    expect(answers(hub, "s")).toHaveLength(1);
  });

  test("[LK19] a policy with a mode sets the mode, and leaving the policy resets it", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    await hub.order(policy("accept-edits"));
    await hub.order(policy("default"));
    const modes = hub.texts("s", "host").flatMap((line) => /"mode":"(\w+)"/.exec(line)?.[1] ?? []);
    expect(modes).toEqual(["acceptEdits", "default"]);
  });

  test("[LK19] supervised needs a hook: without it the switch is refused, and the run asks as under default", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys", { policy: "autonomous" }));
    const refused = await hub.order(policy("supervised"));
    expect(refused.problem?.detail).toContain("hook");
    await hub.order(obey("s", { ask: ask("q1") }));
    await hub.note("s", "ask_opened");
    expect(answers(hub, "s")).toEqual([]);
    expect(await hub.order(policy("reckless"))).toMatchObject({
      problem: { code: "no-such-policy" },
    });
  });

  test("[LK19] a run that was started supervised can leave it and come back", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys", { policy: "supervised" }));
    const hook = (id: string) => ({
      request_id: id,
      request: {
        subtype: "hook_callback",
        callback_id: "signalbox_0",
        input: { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: {} },
      },
    });
    await hub.order(obey("s", { ask: hook("h1") }));
    await hub.note("s", "ask_opened");
    await hub.order(policy("default"));
    await hub.order(obey("s", { ask: hook("h2") }));
    await hub.until(() => answers(hub, "s").some(({ request_id }) => request_id === "h2"));
    await hub.order(policy("supervised"));
    await hub.order(obey("s", { ask: hook("h3") }));
    await hub.until(() => hub.notes("s", "ask_opened").length === 2);
    expect(hub.notes("s", "ask_opened").map(({ requestId }) => requestId)).toEqual(["h1", "h3"]);
  });
});

describe("orders", () => {
  test("[LK10] a repeated order is carried out once and gets the same answer", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"), "start");
    const prompt = obey("s", { count: 1 });
    const first = await hub.order(prompt, "prompt");
    const again = await Promise.all([hub.order(prompt, "prompt"), hub.order(prompt, "prompt")]);
    expect(again).toEqual([first, first]);
    expect(await hub.order(startFake("s", "obeys"), "start")).toEqual({
      type: "done",
      id: "start",
    });
    await hub.order({ kind: "request", ...ofRun("s"), subtype: "ping", fields: {} });
    expect(hub.texts("s", "host").filter((line) => line.includes("count"))).toHaveLength(1);
  });

  test("a request reaches the agent, and its answer comes back", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    const done = await hub.order({
      kind: "request",
      ...ofRun("s"),
      subtype: "set_model",
      fields: { model: "opus" },
    });
    expect(done.result).toMatchObject({ subtype: "set_model", model: "opus" });
  });

  test("prompts reach the agent one after the other, in the order in which they came", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    await hub.order(startFake("s", "obeys"));
    const sent = Array.from({ length: 20 }, (_, n) => `{"type":"status","n":${n}}`);
    await Promise.all(sent.map((say) => hub.order(obey("s", { say }))));
    await hub.until(() => hub.texts("s", "agent").length > 20);
    expect(hub.texts("s", "agent").slice(1)).toEqual(sent);
  });

  test("[LK27] the agent gets an environment from a list, and none of Signalbox's variables", async () => {
    await using stage = await openRunner({
      inheritFrom: { PATH: process.env["PATH"], HOME: "/tmp", SECRET_OF_THE_HUB: "x" },
    });
    const { hub } = stage;
    await hub.send(startFake("s", "shows its environment"), "start");
    const line = await hub.until(() => hub.texts("s", "agent")[0]);
    expect(line).not.toContain("SECRET_OF_THE_HUB");
    expect(line).not.toContain(hub.proving.key.pkcs8);
    expect(readFileSync("/proc/self/cmdline", "utf8")).not.toContain(hub.proving.key.pkcs8);
    await hub.order({ kind: "stop", ...ofRun("s"), park: false });
  });
});
