import { expect, setDefaultTimeout, test } from "bun:test";
import { DumbRelay, turn } from "./foreign-relay.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const request = (call: string, more: object = {}) => ({
  type: "control_request",
  request_id: `of ${call}`,
  request: {
    subtype: "can_use_tool",
    tool_name: "Bash",
    input: { command: "ls" },
    tool_use_id: call,
    ...more,
  },
});

test("[DC7] an ask that somebody else answered at a foreign relay is closed by its tool's result or the end of the turn, also after a restart of the hub; nothing is answered, and a subagent's ask stays", async () => {
  using relay = new DumbRelay();
  await using stage = await RelayStage.open({ graceMs: 60_000 }, { discoveryPorts: [relay.port] });
  relay.agent("connected");
  await stage.call("POST", "/api/discovery/attach", { port: relay.port });
  await until(() => stage.engine.sessions.list().length === 1);
  const session = stage.engine.sessions.list()[0]?.id ?? "";
  await stage.running(session);
  await stage.engine.prompts.send(session, crypto.randomUUID(), { text: "do it" }, person);
  await until(() => relay.heard.length === 1);
  const conversation = crypto.randomUUID();
  const open = () => stage.engine.asks.list().map(({ requestId }) => requestId);

  relay.say(...turn(conversation, "one"), request("c1"), request("c2"));
  await until(() => open().length === 2);
  const content = [{ type: "tool_result", tool_use_id: "c1", content: "done" }];
  const result = { type: "user", message: { role: "user", content }, session_id: conversation };
  relay.say({ ...result, uuid: crypto.randomUUID(), parent_tool_use_id: null });
  await until(() => open().length === 1);
  expect(open()).toEqual(["of c2"]);

  await stage.hub.stop();
  await stage.start();
  await until(() => relay.fronts === 1);
  relay.say(request("c3", { agent_id: "a subagent" }));
  await until(() => open().length === 2);
  relay.say(...turn(conversation, "two"));
  await until(() => open().length === 1);
  expect(open()).toEqual(["of c3"]);
  expect(stage.view(session).openAsks).toBe(1);
  expect(relay.heard.filter(({ type }) => type === "control_response")).toEqual([]);
});
