import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { ScriptedAgent, upgradeStatus } from "./scripted-agent.ts";
import { ScriptedDial } from "./scripted-dial.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

let stage: RelayStage;
beforeAll(async () => void (stage = await RelayStage.open()));
afterAll(() => stage[Symbol.asyncDispose]());

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const asked = (id: string) => ({
  type: "control_request",
  request_id: id,
  request: {
    subtype: "can_use_tool",
    tool_name: "Bash",
    input: { command: "touch a" },
    tool_use_id: `call-${id}`,
    permission_suggestions: [],
  },
});
const used = (id: string) => ({
  type: "assistant",
  uuid: crypto.randomUUID(),
  message: {
    id: `m-${id}`,
    role: "assistant",
    content: [{ type: "tool_use", id: `call-${id}`, name: "Bash", input: { command: "touch a" } }],
  },
  parent_tool_use_id: null,
});

test("[RL11] an agent that can be initialized again and repeats its requests stays the same agent: nothing is interrupted or asked twice, and an answered request is answered again", async () => {
  const { session, secret, url } = await stage.invite();
  const first = new ScriptedAgent(url, bearer(secret));
  await stage.running(session);
  const last = first.text("one");
  first.say(used("r1"), asked("r1"));
  const ask = await stage.ask(session);
  first.break();
  await until(() => stage.view(session).dialled?.connected === false);

  const header = { ...bearer(secret), "x-last-request-id": last };
  using back = new ScriptedAgent(url, header, false, false);
  back.say(asked("r1"));
  const isInitialize = ({ request }: Record<string, unknown>) =>
    (request as { subtype?: string } | undefined)?.subtype === "initialize";
  const { request_id } = await back.hears(isInitialize);
  const response = { commands: [], models: [], account: {} };
  const success = { subtype: "success", request_id, response };
  back.say({ type: "control_response", response: success });
  back.text("two");
  await until(async () => (await stage.texts(session)).length === 2);
  expect(stage.view(session).summary.turns).toBe(0);
  expect(stage.engine.asks.list().filter((each) => each.session === session)).toHaveLength(1);

  const decision = { behavior: "allow" } as const;
  await stage.engine.asks.answer(ask.id, { hash: ask.hash, decision }, person);
  const isAnswer = ({ type, response: said }: Record<string, unknown>) =>
    type === "control_response" && (said as { request_id: string }).request_id === "r1";
  await back.hears(isAnswer);
  back.say(asked("r1")); // it has not heard it
  back.text("three");
  await until(() => back.heard.filter(isAnswer).length === 2);
  await until(async () => (await stage.texts(session)).length === 3);
  const items = await stage.items(session);
  expect(items.filter(({ kind }) => kind === "ask" || kind === "turn-end")).toHaveLength(1);
});

test("[RL50] the lines of dial are numbered at the hub's root, too, in the session of its secret", async () => {
  const { session, secret } = await stage.invite();
  using dial = new ScriptedDial(() => `${stage.ws}/`, secret);
  await stage.running(session);
  expect(stage.view(session).run?.run).toBe(dial.life);
});

test("[RL40] the secret of a deleted session is answered with 404, at the root and on its path, and with 410 for dial, which would try again", async () => {
  const { session, secret, url } = await stage.invite();
  await stage.call("DELETE", `/api/sessions/${session}`);
  for (const address of [url, `${stage.ws}/`]) {
    expect(await upgradeStatus(address, bearer(secret))).toBe(404);
    const dial = { ...bearer(secret), "x-signalbox-dial": crypto.randomUUID() };
    expect(await upgradeStatus(address, dial)).toBe(410);
  }
});

test("[RL40] a connection whose secret is replaced is closed, and one with the new secret is accepted", async () => {
  const { session, secret, url } = await stage.invite();
  using before = new ScriptedAgent(url, bearer(secret));
  await stage.running(session);
  const again = (await stage.call("POST", "/api/relay/agents", { session })) as { secret: string };
  expect((await before.closed).code).toBe(4401);
  using now = new ScriptedAgent(url, bearer(again.secret));
  now.text("mine");
  await until(async () => (await stage.texts(session)).includes("mine"));
});
