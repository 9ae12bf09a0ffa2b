import { expect, setDefaultTimeout, test } from "bun:test";
import { ScriptedAgent } from "./scripted-agent.ts";
import { RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

test("[RL13] an agent that waits with its ask during a restart of the hub has lost nothing, although the hub does not know its last message; an agent that asks something else has", async () => {
  await using stage = await RelayStage.open({ graceMs: 600_000 });
  const { session, secret, url } = await stage.invite();
  const bearer = { authorization: `Bearer ${secret}` };
  using agent = new ScriptedAgent(url, bearer);
  await stage.running(session);
  agent.text("before");
  const word = crypto.randomUUID();
  agent.say({ type: "stream_event", event: { type: "message_stop" }, uuid: word });
  const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
  const asks = (request_id: string) => ({ type: "control_request", request_id, request });
  agent.say(asks("r1"));
  await stage.ask(session);

  const remarks = async () =>
    JSON.stringify(await stage.items(session)).split("in the meantime is lost").length - 1;
  const again = async (pending: string) => {
    await stage.hub.stop();
    await stage.start();
    const back = new ScriptedAgent(url, { ...bearer, "x-last-request-id": word }, true, false);
    const { request_id } = await back.hears(({ type }) => type === "control_request");
    const pending_permission_requests = [asks(pending)];
    const error = { subtype: "error", error: "Already initialized", pending_permission_requests };
    back.say({ type: "control_response", response: { ...error, request_id } });
    back.text(`after ${pending}`);
    await until(async () => (await stage.texts(session)).includes(`after ${pending}`));
    back.break();
  };
  await again("r1");
  expect(await remarks()).toBe(0);
  await again("r2");
  await until(async () => (await remarks()) === 1);
});
