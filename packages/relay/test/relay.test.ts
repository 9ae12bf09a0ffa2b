import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { RecordedFrontEnd } from "./front-ends.ts";
import { ScriptedAgent, upgradeStatus } from "./scripted-agent.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

let stage: RelayStage;
beforeAll(async () => void (stage = await RelayStage.open({ graceMs: 1500 })));
afterAll(() => stage[Symbol.asyncDispose]());

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

async function dialed(title?: string) {
  const invited = await stage.invite(title);
  const agent = new ScriptedAgent(invited.url, bearer(invited.secret));
  await stage.running(invited.session);
  return { ...invited, agent };
}
const audited = async () =>
  (
    (await stage.call("GET", "/api/audit?limit=100")) as { entries: { what: string }[] }
  ).entries.map(({ what }) => what);

describe("who gets in", () => {
  test("[RL40] without a secret, or with a wrong, foreign or replaced one or that of a device, the answer is 401, by header and as the last part of the path", async () => {
    const { session, secret, url } = await stage.invite();
    const other = await stage.invite();
    const runner = await stage.paired("runner" as never);
    expect(await upgradeStatus(url)).toBe(401);
    for (const wrong of ["x", `${secret}x`, other.secret, stage.token, runner]) {
      expect(await upgradeStatus(url, bearer(wrong))).toBe(401);
      expect(await upgradeStatus(`${url}/${encodeURIComponent(wrong)}`)).toBe(401);
    }
    const again = (await stage.call("POST", "/api/relay/agents", { session })) as {
      secret: string;
    };
    expect(await upgradeStatus(url, bearer(secret))).toBe(401);
    using agent = new ScriptedAgent(`${url}/${again.secret}`);
    await stage.running(session);
    agent.text("let in by its path");
    await until(async () => (await stage.texts(session)).length === 1);
    for (const path of ["/", "/ws"]) {
      expect(await upgradeStatus(stage.ws + path)).toBe(401);
      expect(await upgradeStatus(stage.ws + path, bearer("x"))).toBe(401);
    }
    expect(await upgradeStatus(`${stage.ws}/ws`, bearer(secret))).toBe(401);
    expect(await upgradeStatus(`${stage.ws}/sdk/${session}`, bearer("x"))).toBe(401);
    expect(await upgradeStatus(`${stage.ws}/ws/cli`)).toBe(404);
    await stage.call("DELETE", `/api/sessions/${other.session}`);
    expect(await upgradeStatus(other.url, bearer(other.secret))).toBe(404);
  });

  test("[RL54] only the device that created a session or an admin can replace the session's secret", async () => {
    const post = async (token: string, body: object) => {
      const text = JSON.stringify(body);
      const path = "/api/relay/agents";
      const headers = {
        ...(await stage.shownBy(token, "POST", path, text)),
        "content-type": "application/json",
      };
      const response = await fetch(stage.url + path, { method: "POST", headers, body: text });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const [driver, other] = [await stage.paired("driver"), await stage.paired("driver")];
    const approver = await stage.paired("approver");
    const admins = await stage.invite();
    for (const token of [driver, approver]) {
      expect(await post(token, { session: admins.session })).toMatchObject({
        status: 403,
        body: { code: "not-the-creator" },
      });
    }
    using _agent = new ScriptedAgent(admins.url, bearer(admins.secret));
    await stage.running(admins.session); // its secret still opens it
    const drivers = (await post(driver, { title: "a driver's" })).body;
    const session = drivers["session"];
    expect((await post(other, { session })).status).toBe(403);
    expect((await post(driver, { session })).status).toBe(201);
    expect((await post(stage.token, { session })).status).toBe(201);
    expect((await post(driver, { session })).status).toBe(201); // it stays the one that made it
  });

  test("[RL40] pages of other origins are refused, and a viewer at /ws can only read", async () => {
    const { url, secret } = await stage.invite();
    const evil = { origin: "http://evil.test" };
    expect(await upgradeStatus(url, { ...bearer(secret), ...evil })).toBe(403);
    expect(
      await upgradeStatus(`${stage.ws}/ws`, { ...(await stage.attached("/ws")), ...evil }),
    ).toBe(403);
    const viewer = await stage.paired("viewer");
    using frontEnd = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws", viewer));
    await frontEnd.opened();
    frontEnd.send({ type: "user", message: { role: "user", content: "do" }, session_id: "" });
    await frontEnd.see(({ text }) =>
      String(text).startsWith("refused: This takes the role driver"),
    );
    frontEnd.send({ type: "control_response", request_id: "r", permission: { allow: true } });
    await frontEnd.see(({ text }) =>
      String(text).startsWith("refused: This takes the role approver"),
    );
  });

  test("[RL30] a client at /sdk that sends nothing, something else or a wrong token is disconnected", async () => {
    const { session } = await stage.invite();
    const auth = (token: string) => ({ type: "auth", credential: { type: "oauth", token } });
    for (const first of [auth("x"), { type: "control_request", request_id: "a", request: {} }]) {
      using client = new RecordedFrontEnd(`${stage.ws}/sdk/${session}`);
      await client.opened();
      client.send(first);
      expect((await client.closed).code).toBe(4401);
      expect(client.seen).toEqual([]);
    }
  });

  test("[RL41] one agent holds a session: a second one is refused, with an entry in the audit log", async () => {
    const { agent, session, secret, url } = await dialed();
    expect(await upgradeStatus(url, bearer(secret))).toBe(409);
    expect(await upgradeStatus(url, { ...bearer(secret), "x-last-request-id": "other" })).toBe(409);
    agent.text("still mine");
    await until(async () => (await stage.texts(session)).includes("still mine"));
    expect(await audited()).toContain("second-agent-refused");
    agent[Symbol.dispose]();
  });
});

describe("an agent's line", () => {
  test("[RL42] is read from a frame with several lines, over several frames, without its line feed and with CR, and keep_alive is none", async () => {
    const { agent, session } = await dialed();
    const line = (text: string) =>
      JSON.stringify({
        type: "assistant",
        message: { id: text, role: "assistant", content: [{ type: "text", text }] },
        uuid: crypto.randomUUID(),
      });
    agent.raw(`${line("a")}\n{"type":"keep_alive"}\n${line("b")}\r\n${line("c").slice(0, 20)}`);
    agent.raw(line("c").slice(20, 40));
    agent.raw(`${line("c").slice(40)}\n`);
    agent.raw(line("d"));
    await until(async () => (await stage.texts(session)).length === 4);
    expect(await stage.texts(session)).toEqual(["a", "b", "c", "d"]);
    agent[Symbol.dispose]();
  });

  test("[RL11] is recognized by its uuid when it is repeated after a reconnect, and events of a replaced socket are ignored", async () => {
    const { agent, session, secret, url } = await dialed();
    const first = {
      type: "assistant",
      uuid: "u1",
      message: { id: "m1", role: "assistant", content: [{ type: "text", text: "one" }] },
    };
    const second = {
      type: "assistant",
      uuid: "u2",
      message: { id: "m2", role: "assistant", content: [{ type: "text", text: "two" }] },
    };
    agent.say(first);
    await until(async () => (await stage.texts(session)).length === 1);
    const header = { ...bearer(secret), "x-last-request-id": "u1" };
    using back = new ScriptedAgent(url, header, true);
    expect((await agent.closed).code).toBe(4409);
    await until(() => stage.view(session).dialled?.connected === true);
    back.say(first, second, first);
    await until(async () => (await stage.texts(session)).length === 2);
    expect(await stage.texts(session)).toEqual(["one", "two"]);
    expect(stage.view(session).state).toBe("running");
  });

  test("[RL11] front ends are told when an agent has not come back within the grace period, and another one may come", async () => {
    const { agent, session, secret, url } = await dialed();
    using frontEnd = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
    await frontEnd.see(({ text }) => text === "claude code is connected");
    agent.break();
    await frontEnd.see(({ text }) => text === "claude code disconnected");
    await until(() => stage.view(session).state === "crashed");
    expect(stage.view(session).problem).toContain("did not come back");
    using next = new ScriptedAgent(url, bearer(secret));
    await stage.running(session);
    next.text("another one");
    await until(async () => (await stage.texts(session)).length === 1);
  });

  test("[RL43] a message to a session without a connected agent waits for one", async () => {
    const { session, secret, url } = await stage.invite();
    await stage.engine.prompts.send(session, crypto.randomUUID(), { text: "early" }, person);
    await until(() => stage.view(session).state === "crashed");
    expect(stage.view(session).problem).toContain("No agent is connected");
    using agent = new ScriptedAgent(url, bearer(secret));
    const prompt = await agent.hears(({ type }) => type === "user");
    expect(prompt["message"]).toMatchObject({ content: "early" });
  });

  test("[RL44] auto-approve is the policy autonomous of one session, in its view and in the audit log, and never answers questions", async () => {
    const { agent, session } = await dialed();
    await stage.engine.sessions.change(session, { policy: "autonomous", confirmed: true }, person);
    expect(stage.view(session)).toMatchObject({
      policy: "autonomous",
      bypassUntil: expect.any(Number),
    });
    const asks = (request_id: string, tool_name: string, input: object) =>
      agent.say({
        type: "control_request",
        request_id,
        request: { subtype: "can_use_tool", tool_name, input, tool_use_id: request_id },
      });
    asks("q", "AskUserQuestion", { questions: [] });
    asks("p", "ExitPlanMode", { plan: "it" });
    asks("b", "Bash", { command: "true" });
    const answer = await agent.hears(({ type }) => type === "control_response");
    expect(answer).toMatchObject({
      response: { request_id: "b", response: { behavior: "allow" } },
    });
    await until(() => stage.engine.asks.list().length === 2);
    expect(agent.heard.filter(({ type }) => type === "control_response")).toHaveLength(1);
    expect(await audited()).toContain("policy-changed");
    agent[Symbol.dispose]();
  });
});

test.each(["/ws", "/sdk"])(
  "[HH61] at %s a driver cannot loosen a mode or send a request that takes an approver",
  async (path) => {
    const { agent, session } = await dialed();
    const target = path === "/ws" ? "/ws" : `/sdk/${session}`;
    const open = async (token: string) => {
      const headers = await stage.attached(target, token);
      const client = new RecordedFrontEnd(`${stage.ws}${target}`, headers);
      await client.opened();
      client.send({ type: "control_request", request_id: "i", request: { subtype: "initialize" } });
      await client.see(({ response }) => (response as { request_id?: string })?.request_id === "i");
      return client;
    };
    const requests = [
      { subtype: "set_permission_mode", mode: "acceptEdits" },
      { subtype: "set_permission_mode", mode: "default" }, // the agent has told no mode: any may be stricter
      { subtype: "get_settings" },
      { subtype: "mcp_toggle", serverName: "x", enabled: true },
      { subtype: "mcp_reconnect", serverName: "x" },
    ];
    const heard = (subtype: string) =>
      agent.heard.filter(({ request }) => (request as { subtype?: string })?.subtype === subtype);
    using driver = await open(await stage.paired("driver"));
    for (const [nth, request] of requests.entries()) {
      driver.send({ type: "control_request", request_id: `r${nth}`, request });
      const answer = await driver.see(
        ({ response }) => (response as { request_id?: string })?.request_id === `r${nth}`,
      );
      expect(answer).toMatchObject({
        response: { subtype: "error", error: expect.stringContaining("A driver cannot") },
      });
    }
    for (const { subtype } of requests) expect(heard(subtype)).toEqual([]);
    using approver = await open(await stage.paired("approver"));
    approver.send({ type: "control_request", request_id: "a", request: requests[0] });
    await until(() => heard("set_permission_mode").length === 1);
    agent[Symbol.dispose]();
  },
);

test("[RL30] SDK clients may use the same ids: the agent gets ids of the hub, and each answer goes only to the client that asked", async () => {
  const { agent, session } = await dialed();
  const path = `/sdk/${session}`;
  const shown = [await stage.attached(path), await stage.attached(path)];
  const clients = shown.map((headers) => new RecordedFrontEnd(`${stage.ws}${path}`, headers));
  const request = (client: RecordedFrontEnd, request_id: string, body: object) =>
    client.send({ type: "control_request", request_id, request: body });
  const answered = (client: RecordedFrontEnd, id: string) =>
    client.seen.filter(({ response }) => (response as { request_id?: string })?.request_id === id);
  for (const [nth, client] of clients.entries()) {
    await client.opened();
    request(client, "i", { subtype: "initialize" });
    await until(() => answered(client, "i").length === 1);
    request(client, "same", { subtype: "get_settings", nth });
  }
  const heard = () =>
    agent.heard.filter(
      ({ request: body }) => (body as { subtype?: string })?.subtype === "get_settings",
    ) as { request_id: string; request: { nth: number } }[];
  await until(() => heard().length === 2);
  const ids = heard().map(({ request_id }) => request_id);
  expect(new Set([...ids, "same"]).size).toBe(3);
  for (const { request_id, request: body } of heard().toReversed()) {
    const response = { subtype: "success", request_id, response: { of: body.nth } };
    agent.say({ type: "control_response", response });
  }
  for (const [nth, client] of clients.entries()) {
    await until(() => answered(client, "same").length === 1);
    expect(answered(client, "same")).toMatchObject([{ response: { response: { of: nth } } }]);
    for (const id of ids) expect(JSON.stringify(client.seen)).not.toContain(id);
    client[Symbol.dispose]();
  }
  agent[Symbol.dispose]();
});

describe("a client that is not an agent", () => {
  test("[RL45] sends invalid data, which is stored unchanged or ends its own connection with a reason, and others continue", async () => {
    const good = await dialed("the good one");
    const binary = await dialed();
    binary.agent.raw(new Uint8Array([1, 2, 3]));
    expect((await binary.agent.closed).code).toBe(4400);
    const junk = await dialed();
    junk.agent.raw("no json at all\n[1,2]\n{\n");
    junk.agent.text("and then a word");
    await until(async () => (await stage.texts(junk.session)).includes("and then a word"));
    for (const headers of [{}, bearer(good.secret)]) {
      const response = await fetch(good.url.replace("ws", "http"), { headers });
      expect([401, 409, 426]).toContain(response.status); // without the headers of an upgrade
    }
    using frontEnd = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
    await frontEnd.opened();
    frontEnd.raw("no json at all\n");
    expect((await frontEnd.closed).code).toBe(4400);
    good.agent.text("unharmed");
    await until(async () => (await stage.texts(good.session)).includes("unharmed"));
    good.agent[Symbol.dispose]();
    junk.agent[Symbol.dispose]();
  });
});

test("[RL42] a line of 20 MiB and the lines after it arrive", async () => {
  const { agent, session } = await dialed();
  const long = "x".repeat(20 * 1024 * 1024);
  for (const text of ["before", long, "after"]) agent.text(text);
  await until(async () => (await stage.texts(session)).includes("after"));
  const [, { kind, raw }] = (await stage.items(session)) as [
    unknown,
    { kind: string; raw: string },
  ];
  expect({ kind, begins: raw.includes("xxxx") }).toEqual({ kind: "opaque", begins: true });
  agent[Symbol.dispose]();
});

test("[RL45] a frame of 100 MB ends its own connection, and the session says why, while lines of other agents arrive without delay", async () => {
  const good = await dialed("the good one");
  using frontEnd = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
  await frontEnd.opened();
  const remarks = async (session: string) =>
    JSON.stringify(await stage.items(session)).split("more than 64 MiB at once").length - 1;
  const hundred = "x".repeat(100 * 1024 * 1024);
  const big = await dialed();
  big.agent.raw(hundred);
  const words = Array.from({ length: 20 }, (_, nth) => `word ${nth}`);
  for (const word of words) good.agent.text(word);
  await until(async () => (await stage.texts(good.session)).length === words.length);
  expect(await stage.texts(good.session)).toEqual(words);
  // 1009 is said; where the system drops what it did not read, the end of the line overtakes the word.
  expect([1009, 1006]).toContain((await big.agent.closed).code);
  await until(async () => (await remarks(big.session)) === 1);
  expect(await remarks(good.session)).toBe(0);

  // One line over several frames, each of which is small enough.
  const slow = await dialed();
  for (let part = 0; part < 3; part += 1) slow.agent.raw(hundred.slice(0, 25 * 1024 * 1024));
  expect(await slow.agent.closed).toEqual({
    code: 1009,
    reason: "A line is longer than 64 MiB.",
  });
  await until(async () => (await remarks(slow.session)) === 1);

  using loud = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
  await loud.opened();
  loud.raw(hundred);
  expect([1009, 1006]).toContain((await loud.closed).code);

  using next = new ScriptedAgent(big.url, bearer(big.secret));
  await next.hears(({ request }) => request !== undefined);
  next.text("another one");
  await until(async () => (await stage.texts(big.session)).includes("another one"));
  good.agent.text("unharmed");
  await frontEnd.see(
    ({ type, message }) => type === "assistant" && JSON.stringify(message).includes("unharmed"),
  );
  good.agent[Symbol.dispose]();
});

describe("an agent at /", () => {
  test("[RL46] a new conversation on its connection is a new session; one that another live agent has is quarantined with the reason", async () => {
    const { session, secret } = await stage.invite("at the root");
    using agent = new ScriptedAgent(`${stage.ws}/`, bearer(secret));
    await stage.running(session);
    agent.text("first", { session_id: "conversation-a" });
    await until(async () => (await stage.texts(session)).length === 1);
    const before = new Set(stage.engine.sessions.list().map(({ id }) => id));
    agent.text("second", { session_id: "conversation-b" });
    const fresh = () => stage.engine.sessions.list().find(({ id }) => !before.has(id));
    await until(async () => (await stage.texts(fresh()?.id ?? session)).includes("second"));
    expect(await stage.texts(session)).toEqual(["first"]);
    await until(() => stage.view(session).state === "stopped");
    const lines = await stage.engine.history.listLines(fresh()?.id ?? "", { after: 0, limit: 10 });
    expect(lines[0]?.text).toContain("run_started"); // before its first words, which belong to it
    expect(stage.view(fresh()?.id ?? "")).toMatchObject({
      state: "running",
      summary: { status: "active" },
    });
    const other = await stage.invite("another");
    using rival = new ScriptedAgent(`${stage.ws}/`, bearer(other.secret));
    await stage.running(other.session);
    rival.text("mine", { session_id: "conversation-c" });
    rival.text("not mine", { session_id: "conversation-b" });
    rival.text("mine again", { session_id: "conversation-c" });
    await until(async () => (await stage.texts(other.session)).length === 2);
    expect(await stage.texts(other.session)).toEqual(["mine", "mine again"]);
    expect(await stage.texts(fresh()?.id ?? "")).toEqual(["second"]);
    expect(await audited()).toContain("conversation-quarantined");
  });

  test("[RL47] on a path that names its session the path decides, and a changed id is recorded", async () => {
    const { agent, session } = await dialed();
    const init = (session_id: string) => ({
      type: "system",
      subtype: "init",
      session_id,
      cwd: "/somewhere",
      uuid: crypto.randomUUID(),
    });
    agent.say(init("one"));
    agent.say(init("two"));
    agent.text("still here", { session_id: "two" });
    await until(async () => (await stage.texts(session)).includes("still here"));
    await until(async () =>
      JSON.stringify(await stage.items(session)).includes(
        "continues with another conversation, two",
      ),
    );
    await until(() => stage.view(session).folder === "/somewhere"); // written beside the line
    agent[Symbol.dispose]();
  });
});
