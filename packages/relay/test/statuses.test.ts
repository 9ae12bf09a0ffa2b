import { expect, setDefaultTimeout, test } from "bun:test";
import { RecordedFrontEnd } from "./front-ends.ts";
import { ScriptedAgent } from "./scripted-agent.ts";
import { RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

test("[RL20] a front end that connects while the agent is away is told when it is back; only the end of the last agent is reported; hooks of a front end are refused by name", async () => {
  await using stage = await RelayStage.open({ graceMs: 600_000 });
  const { session, secret, url } = await stage.invite();
  const agent = new ScriptedAgent(url, bearer(secret));
  await stage.running(session);
  const uuid = agent.text("one");
  await until(async () => (await stage.texts(session)).length === 1);
  agent.break();
  await until(() => stage.view(session).dialled?.connected === false);
  using front = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
  await front.opened();
  front.send({ type: "control_request", request_id: "a", request: { subtype: "initialize" } });
  await front.see(({ type }) => type === "control_response");
  expect(front.statuses).toEqual([]);
  const header = { ...bearer(secret), "x-last-request-id": uuid };
  using back = new ScriptedAgent(url, header, true);
  await front.see(({ text }) => text === "claude code is connected");

  const hooks = {
    PreToolUse: [{ matcher: "^Bash$", hookCallbackIds: ["tool_approval"] }],
    Stop: [{ hookCallbackIds: ["stop_git_check"] }],
  };
  const request = { subtype: "initialize", hooks };
  front.send({ type: "control_request", request_id: "h", request });
  const refusal = await front.see(({ response }) => JSON.stringify(response ?? "").includes('"h"'));
  expect(refusal).toMatchObject({ response: { subtype: "error" } });
  expect(JSON.stringify(refusal)).toContain("the hook PreToolUse, the hook Stop");

  const other = await stage.invite();
  const second = new ScriptedAgent(other.url, bearer(other.secret));
  await stage.running(other.session);
  await stage.call("DELETE", `/api/sessions/${other.session}`);
  await second.closed;
  back.text("two");
  await front.see(({ message }) => JSON.stringify(message ?? "").includes("two"));
  const before = ["claude code is connected", "claude code connected"];
  expect(front.statuses).toEqual(before);
  await stage.call("DELETE", `/api/sessions/${session}`);
  await front.see(({ text }) => text === "claude code disconnected");
  expect(front.statuses).toEqual([...before, "claude code disconnected"]);
});
