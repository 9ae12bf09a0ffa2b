import { expect, setDefaultTimeout, test } from "bun:test";
import { DumbRelay, turn } from "./foreign-relay.ts";
import { RecordedFrontEnd } from "./front-ends.ts";
import { ScriptedAgent } from "./scripted-agent.ts";
import { person, RelayStage, until } from "@signalbox/testing/relay-stage";

setDefaultTimeout(180_000);

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const hook = (request_id: string, callback_id: string, input: object) => ({
  type: "control_request",
  request_id,
  request: { subtype: "hook_callback", callback_id, input },
});
const preToolUse = (command: string) => ({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: `toolu_${command}`,
});
/** As seed 002 has answers: the id outside, and `result`. */
const seeded = (request_id: string, result: object) => ({
  type: "control_response",
  request_id,
  response: { subtype: "success", result },
});
const decided = (permissionDecision: string) => ({
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision,
    permissionDecisionReason: "said by a front end",
  },
});

test("[RL22] a front end at /ws answers PreToolUse and Stop of an agent whose hooks another host had set in the form of seed 002, and the agent gets the answers in its own form", async () => {
  await using stage = await RelayStage.open();
  const { session, secret, url } = await stage.invite();
  using agent = new ScriptedAgent(url, bearer(secret), true); // "Already initialized", by that host
  await stage.running(session);
  using front = new RecordedFrontEnd(`${stage.ws}/ws`, await stage.attached("/ws"));
  await front.opened();
  const answered = async (id: string, callback: string, input: object, result: object) => {
    agent.say(hook(id, callback, input));
    await front.see(({ type, request_id }) => type === "control_request" && request_id === id);
    await stage.ask(session);
    front.send(seeded(id, result));
    const { response } = await agent.hears(
      (said) => (said["response"] as { request_id?: string } | undefined)?.request_id === id,
    );
    return (response as { response: unknown }).response;
  };
  const [allow, deny] = [decided("allow"), decided("deny")];
  expect(await answered("a", "tool_approval", preToolUse("ls"), allow)).toMatchObject({
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" },
  });
  expect(await answered("b", "tool_approval", preToolUse("rm"), deny)).toEqual(deny);
  const stop = { hook_event_name: "Stop", stop_hook_active: false };
  const approve = { decision: "approve", reason: "" };
  expect(await answered("c", "stop_git_check", stop, approve)).toEqual({ decision: "approve" });
  const block = { decision: "block", reason: "commit first" };
  expect(await answered("d", "stop_git_check", stop, block)).toEqual(block);
  expect(stage.engine.asks.list()).toEqual([]);

  // One of ours from a policy that does not hold any more has no opinion.
  agent.say(hook("e", "signalbox_0", preToolUse("ls")));
  const ours = await agent.hears(({ response }) => JSON.stringify(response ?? "").includes('"e"'));
  expect(ours).toMatchObject({ response: { subtype: "success", response: {} } });
});

test("[RL22] for an agent behind a foreign relay only a person's decisions are answered, because its hooks and MCP servers belong to its host", async () => {
  using foreign = new DumbRelay();
  await using stage = await RelayStage.open({}, { discoveryPorts: [foreign.port] });
  await stage.call("POST", "/api/discovery/attach", { port: foreign.port });
  await until(() => foreign.fronts > 0);
  foreign.agent("connected");
  foreign.say(...turn("theirs", "hello"));
  const find = () =>
    stage.engine.relaySessions.listRows().find(({ conversation }) => conversation === "theirs");
  await until(() => find()?.state === "running");
  const mcp = { subtype: "mcp_message", server_name: "theirs", message: { method: "ping" } };
  foreign.say(
    hook("h", "tool_approval", preToolUse("ls")),
    { type: "control_request", request_id: "m", request: mcp },
    { type: "control_request", request_id: "n", request: { subtype: "newer_than_us" } },
    {
      type: "control_request",
      request_id: "p",
      request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } },
    },
  );
  const ask = await stage.ask(find()!.id);
  await stage.engine.asks.answer(
    ask.id,
    { hash: ask.hash, decision: { behavior: "allow" } },
    person,
  );
  const answers = () => foreign.heard.filter(({ type }) => type === "control_response");
  await until(() => answers().length > 0);
  expect(answers()).toMatchObject([{ response: { request_id: "p" } }]);
});
