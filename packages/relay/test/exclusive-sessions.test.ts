import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ScriptedAgent, upgradeStatus } from "./scripted-agent.ts";
import { DumbRelay, turn } from "./foreign-relay.ts";
import { RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

let stage: RelayStage;
const relay = new DumbRelay();
beforeAll(async () => {
  const switches = { open: true, graceMs: 600_000 };
  stage = await RelayStage.open(switches, { discoveryPorts: [relay.port] });
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
  await relay.close();
});

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const last = (uuid: string) => ({ "x-last-request-id": uuid });

/** Those of one session, or of something that was named. */
async function audited(what: string, about: string): Promise<number> {
  const { entries } = (await stage.call("GET", "/api/audit?limit=500")) as {
    entries: { what: string; session: string | null }[];
  };
  return entries.filter((each) => each.what === what && JSON.stringify(each).includes(about))
    .length;
}

/** An agent whose path names its session, has said something there, and is away. */
async function away(conversation: string) {
  const invited = await stage.invite();
  const agent = new ScriptedAgent(invited.url, bearer(invited.secret));
  await stage.running(invited.session);
  const uuid = agent.text("mine", { session_id: conversation });
  await until(async () => (await stage.texts(invited.session)).length === 1);
  agent.break();
  await until(() => stage.view(invited.session).dialled?.connected === false);
  return { ...invited, uuid };
}

async function newSession(enter: () => ScriptedAgent) {
  const before = new Set(stage.engine.sessions.list().map(({ id }) => id));
  const agent = enter();
  const fresh = () => stage.engine.sessions.list().find(({ id }) => !before.has(id))?.id;
  await until(() => fresh() !== undefined);
  await stage.running(fresh() ?? "");
  return { agent, session: fresh() ?? "" };
}

describe("a secret opens its own session and no other", () => {
  test("[RL49] an agent at / that says it has connected before gets into no other agent's session, whatever message id it names", async () => {
    const victim = await away("conversation-v");
    const other = await stage.invite();
    for (const said of [crypto.randomUUID(), victim.uuid]) {
      using agent = new ScriptedAgent(`${stage.ws}/`, { ...bearer(other.secret), ...last(said) });
      await until(() => stage.view(other.session).dialled?.connected === true);
      agent.text(`not ${said}`);
      await until(async () => (await stage.texts(other.session)).includes(`not ${said}`));
      agent.break();
      await until(() => stage.view(other.session).dialled?.connected === false);
    }
    expect(await stage.texts(victim.session)).toEqual(["mine"]);
    expect(stage.view(victim.session).dialled?.connected).toBe(false);
  });

  test("[RL49] at an open relay, an agent without a credential gets into no session that has a secret", async () => {
    const victim = await away("conversation-w");
    for (const said of [crypto.randomUUID(), victim.uuid]) {
      const enter = () => new ScriptedAgent(`${stage.ws}/`, last(said));
      const { agent, session } = await newSession(enter);
      agent.text("not mine");
      await until(async () => (await stage.texts(session)).length === 1);
      agent[Symbol.dispose]();
      await until(() => stage.view(session).dialled?.connected === false);
      await stage.call("DELETE", `/api/sessions/${session}`);
    }
    expect(await stage.texts(victim.session)).toEqual(["mine"]);
  });

  test("[RL49] naming a conversation whose agent is away lets no other agent in, and its own agent continues it where it was", async () => {
    const owner = await stage.invite();
    using agent = new ScriptedAgent(`${stage.ws}/`, bearer(owner.secret));
    await stage.running(owner.session);
    agent.text("first", { session_id: "conversation-1" });
    await until(async () => (await stage.texts(owner.session)).length === 1);
    const before = new Set(stage.engine.sessions.list().map(({ id }) => id));
    const uuid = agent.text("second", { session_id: "conversation-2" });
    const second = () => stage.engine.sessions.list().find(({ id }) => !before.has(id))?.id ?? "";
    await until(async () => second() !== "" && (await stage.texts(second())).length === 1);
    agent.break();
    await until(() => stage.view(second()).dialled?.connected === false);

    const other = await stage.invite();
    using rival = new ScriptedAgent(`${stage.ws}/`, bearer(other.secret));
    await stage.running(other.session);
    rival.text("not mine", { session_id: "conversation-2" });
    rival.text("mine", { session_id: "conversation-3" });
    await until(async () => (await stage.texts(other.session)).includes("mine"));
    expect(await stage.texts(second())).toEqual(["second"]);
    await until(async () => (await audited("conversation-quarantined", "conversation-2")) === 1);

    await stage.hub.stop();
    await stage.start();
    const header = { ...bearer(owner.secret), ...last(uuid) };
    using back = new ScriptedAgent(`${stage.ws}/`, header, true);
    await until(() => stage.view(second()).dialled?.connected === true);
    back.text("third", { session_id: "conversation-2" });
    await until(async () => (await stage.texts(second())).includes("third"));
  });
});

describe("one agent holds a session", () => {
  test("[RL41] of two agents that connect to / with one secret at once, one is refused with a reason and in the audit log", async () => {
    const { session, secret } = await stage.invite();
    const count = stage.engine.sessions.list().length;
    const two = [0, 1].map(() => new ScriptedAgent(`${stage.ws}/`, bearer(secret), false, false));
    const asked = await Promise.all(
      two.map((each) => each.hears(({ request }) => request !== undefined)),
    );
    for (const [nth, agent] of two.entries()) agent.answer(asked[nth] ?? {});
    const { code, nth } = await Promise.race(
      two.map(async (each, place) => ({ ...(await each.closed), nth: place })),
    );
    expect(code).toBe(4409);
    await stage.running(session);
    two[1 - nth]?.text("the one", { session_id: "conversation-x" });
    await until(async () => (await stage.texts(session)).includes("the one"));
    expect(stage.engine.sessions.list()).toHaveLength(count);
    await until(async () => (await audited("second-agent-refused", session)) === 1);
    expect(await upgradeStatus(`${stage.ws}/`, bearer(secret))).toBe(409);
    await until(async () => (await audited("second-agent-refused", session)) === 2);
    two[1 - nth]?.[Symbol.dispose]();
  });

  test("[RL41] of two agents that connect to a path at once, the second is refused", async () => {
    const { session, secret, url } = await stage.invite();
    const two = [0, 1].map(() => new ScriptedAgent(url, bearer(secret)));
    const { code, nth } = await Promise.race(
      two.map(async (each, place) => ({ ...(await each.closed), nth: place })),
    );
    expect([4409, 1002, 1006]).toContain(code);
    await stage.running(session);
    two[1 - nth]?.text("the one");
    await until(async () => (await stage.texts(session)).includes("the one"));
    await until(async () => (await audited("second-agent-refused", session)) === 1);
    two[1 - nth]?.[Symbol.dispose]();
  });

  test("[RL41] an agent at / replaces its own old socket that is still open, and continues", async () => {
    const { session, secret } = await stage.invite();
    const agent = new ScriptedAgent(`${stage.ws}/`, bearer(secret));
    await stage.running(session);
    const uuid = agent.text("one", { session_id: "conversation-y" });
    await until(async () => (await stage.texts(session)).length === 1);
    using back = new ScriptedAgent(`${stage.ws}/`, { ...bearer(secret), ...last(uuid) }, true);
    expect((await agent.closed).code).toBe(4409);
    back.text("two", { session_id: "conversation-y" });
    await until(async () => (await stage.texts(session)).length === 2);
  });
});

describe("an id that another live connection holds", () => {
  const remarked = async (session: string, text: string) =>
    JSON.stringify(await stage.items(session)).includes(text);

  test("[RL46] [RL47] is quarantined at / although its holder connected on a path; on a path the path decides, and the session shows a remark", async () => {
    const held = crypto.randomUUID();
    const [first, second, third] = [
      await stage.invite(),
      await stage.invite(),
      await stage.invite(),
    ];
    using holder = new ScriptedAgent(first.url, bearer(first.secret));
    await stage.running(first.session);
    holder.text("the holder", { session_id: held });
    await until(async () => (await stage.texts(first.session)).length === 1);
    using rival = new ScriptedAgent(`${stage.ws}/`, bearer(second.secret));
    await stage.running(second.session);
    rival.text("not let in", { session_id: held });
    rival.text("nor this", { session_id: held });
    rival.text("let in", { session_id: crypto.randomUUID() });
    await until(async () => (await stage.texts(second.session)).length === 1);
    expect(await stage.texts(second.session)).toEqual(["let in"]);
    await until(() => remarked(second.session, `uses the conversation ${held}, which another`));
    await until(async () => (await audited("conversation-quarantined", held)) === 1);

    using other = new ScriptedAgent(third.url, bearer(third.secret));
    await stage.running(third.session);
    other.text("on its path", { session_id: held });
    await until(async () => (await stage.texts(third.session)).length === 1);
    await until(() => remarked(third.session, `uses the conversation ${held}, which another`));
    expect(await stage.texts(first.session)).toEqual(["the holder"]);
  });

  test("[RL46] is quarantined behind a foreign relay, too, with an entry in the audit log", async () => {
    const held = crypto.randomUUID();
    const { session, secret, url } = await stage.invite();
    using holder = new ScriptedAgent(url, bearer(secret));
    await stage.running(session);
    holder.text("the holder", { session_id: held });
    await until(async () => (await stage.texts(session)).length === 1);
    await stage.call("POST", "/api/discovery/attach", { port: relay.port });
    await until(() => relay.fronts === 1);
    const before = new Set(stage.engine.sessions.list().map(({ id }) => id));
    relay.say(...turn(held, "not let in"), ...turn(crypto.randomUUID(), "let in"));
    const fresh = () => stage.engine.sessions.list().filter(({ id }) => !before.has(id));
    await until(async () => (await stage.texts(fresh()[0]?.id ?? session)).includes("let in"));
    expect(fresh()).toHaveLength(1);
    expect(await stage.texts(session)).toEqual(["the holder"]);
    await until(async () => (await audited("conversation-quarantined", held)) === 1);
  });
});
