import { describe, expect, test } from "bun:test";
import { createPermissionCallback } from "../../src/peer/can-use-tool.ts";
import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import { openTurnAgent, openRig, prompt, request } from "../loop/rig.ts";

const call = { tool_name: "Bash", input: { command: "ls" }, tool_use_id: "toolu_1" };
const asksPermission = openTurnAgent(async ({ signal }, { host }) => {
  const canUse = createPermissionCallback(host, () => ({
    behavior: "ask",
    decision_reason: "why",
  }));
  return JSON.stringify(await canUse(call, signal));
});
const answer = (asked: JsonObject, response: object) => ({
  type: "control_response",
  response: { subtype: "success", request_id: asked["request_id"], response },
});
const getResult = (line: JsonObject): unknown => JSON.parse(String(line["result"]));

describe("requests of an agent to its host", () => {
  test("[AG8] the agent's own rules decide first, then the host", async () => {
    const decided = openTurnAgent(async (_turn, { host }) => {
      const canUse = createPermissionCallback(host, () => ({ behavior: "deny", message: "No." }));
      return JSON.stringify(await canUse(call));
    });
    await using alone = await openRig(decided);
    await alone.send(prompt("go"));
    expect(getResult(await alone.lines.type("result"))).toEqual({
      behavior: "deny",
      message: "No.",
    });

    await using rig = await openRig(asksPermission);
    await rig.send(prompt("go"));
    const asked = await rig.lines.type("control_request");
    expect(asked["request"]).toEqual({ subtype: "can_use_tool", ...call, decision_reason: "why" });
    await rig.send(answer(asked, { behavior: "allow", updatedInput: { command: "pwd" } }));
    expect(getResult(await rig.lines.type("result"))).toEqual({
      behavior: "allow",
      updatedInput: { command: "pwd" },
    });
  });

  test("[AG8] an unexpected answer, an error and the absence of a host count as denials", async () => {
    await using rig = await openRig(asksPermission);
    await rig.send(prompt("go"));
    await rig.send(answer(await rig.lines.type("control_request"), { behavior: "perhaps" }));
    expect(getResult(await rig.lines.type("result"))).toMatchObject({ behavior: "deny" });

    await rig.send(prompt("again"));
    const { request_id } = await rig.lines.type("control_request");
    const response = { subtype: "error", request_id, error: "Nobody is there" };
    await rig.send({ type: "control_response", response });
    const denied = getResult(await rig.lines.type("result")) as { message: string };
    expect(denied.message).toStartWith("Tool permission request failed: ");
    expect(denied.message).toContain("Nobody is there");

    await using unasked = await openRig(asksPermission, {
      args: ["--permission-prompt-tool", "mcp__x__y"],
    });
    await unasked.send(prompt("go"));
    expect(getResult(await unasked.lines.type("result"))).toMatchObject({ behavior: "deny" });
  });

  test("[AG9] a failed hook has no effect; one that takes too long gives no verdict", async () => {
    const hooked = openTurnAgent(async (_turn, { host }) => {
      const options = { toolUseId: "toolu_1", timeoutMs: 1 };
      const late = await host.hook("hook_late", {}, options).catch((cause) => cause.code);
      const input = { hook_event_name: "Stop" };
      const answered = await host.hook("hook_0", input);
      const failures: string[] = [];
      const failed = await host.hook("hook_1", input, { onFailure: () => failures.push("1") });
      const misshapen = await host.hook("hook_2", input, { onFailure: () => failures.push("2") });
      return JSON.stringify([late, answered, failed, misshapen, failures]);
    });
    await using rig = await openRig(hooked);
    await rig.send(prompt("go"));
    const late = await rig.lines.type("control_request");
    expect(late["request"]).toMatchObject({ callback_id: "hook_late", tool_use_id: "toolu_1" });
    const withdrawn = await rig.lines.type("control_cancel_request");
    expect(withdrawn["request_id"]).toBe(late["request_id"]);
    await rig.send(answer(await rig.lines.type("control_request"), { continue: true }));
    const { request_id } = await rig.lines.type("control_request");
    await rig.send({
      type: "control_response",
      response: { subtype: "error", request_id, error: "no" },
    });
    await rig.send(answer(await rig.lines.type("control_request"), { decision: "perhaps" }));
    expect(getResult(await rig.lines.type("result"))).toEqual([
      "REQUEST_TIMED_OUT",
      { continue: true },
      {},
      {},
      ["1", "2"],
    ]);
    expect(rig.reported.join()).toContain("Error in hook callback hook_1");
    expect(rig.reported.join()).toContain("Error in hook callback hook_2");
  });

  test("[AG9] a hook whose host disconnects gives no verdict", async () => {
    const verdicts: unknown[] = [];
    const hooked = openTurnAgent(async (_turn, { host }) => {
      verdicts.push(await host.hook("hook_0", {}).catch((cause) => cause.code));
      return "";
    });
    await using rig = await openRig(hooked);
    await rig.send(prompt("go"));
    await rig.lines.type("control_request");
    await rig.host.close();
    expect(await rig.code).toBe(0);
    expect(verdicts).toEqual(["CONNECTION_CLOSED"]);
  });

  test("[AG10] pending requests are rejected when the input closes", async () => {
    await using rig = await openRig(asksPermission);
    await rig.send(prompt("go"));
    await rig.lines.type("control_request");
    await rig.host.close();
    expect(await rig.code).toBe(0);
    expect(rig.session.transcript.path).toEndWith(".jsonl");
  });

  test("[AG11] an interrupt withdraws open requests and is then answered", async () => {
    await using rig = await openRig(asksPermission);
    await rig.send(prompt("go"));
    const asked = await rig.lines.type("control_request");
    await rig.send(request("stop", "interrupt"));
    const withdrawn = await rig.lines.type("control_cancel_request");
    expect(withdrawn["request_id"]).toBe(asked["request_id"]);
    const { response } = await rig.lines.type("control_response");
    expect(response).toMatchObject({ request_id: "stop", response: { still_queued: [] } });
    expect(getResult(await rig.lines.type("result"))).toMatchObject({ behavior: "deny" });
  });

  test("[AG12] MCP messages reach the host's server by name, and its answers come back", async () => {
    const greeting = openTurnAgent(async (_turn, { host }) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      return JSON.stringify(await host.mcpMessage("greeter", message));
    });
    await using rig = await openRig(greeting);
    await rig.send(prompt("go"));
    const asked = await rig.lines.type("control_request");
    expect(asked["request"]).toMatchObject({ subtype: "mcp_message", server_name: "greeter" });
    const result = { jsonrpc: "2.0", id: 1, result: { tools: [] } };
    await rig.send(answer(asked, { mcp_response: result }));
    expect(getResult(await rig.lines.type("result"))).toEqual(result);
  });

  test("[AG12] the host's error about a server is passed on unchanged, and a missing message is an error", async () => {
    const asking = openTurnAgent(async (_turn, { host }) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const first = await host.mcpMessage("greeter", message).catch(String);
      return JSON.stringify([first, (await host.mcpMessage("greeter", message)) === undefined]);
    });
    await using rig = await openRig(asking);
    await rig.send(prompt("go"));
    const { request_id } = await rig.lines.type("control_request");
    const refusal = { subtype: "error", request_id, error: "It has left" };
    await rig.send({ type: "control_response", response: refusal });
    await rig.send(answer(await rig.lines.type("control_request"), {}));
    expect(getResult(await rig.lines.type("result"))).toEqual(["Error: It has left", true]);
  });

  test("[AG7] unknown requests are refused, and unexpected answers are ignored", async () => {
    await using rig = await openRig(asksPermission);
    await rig.send(answer({ request_id: "nobody's" }, {}));
    await rig.send({ type: "control_response" });
    await rig.send({ type: "control_cancel_request", request_id: "nobody's" });
    await rig.send(request("a", "nonsense"));
    const { response } = await rig.lines.type("control_response");
    expect(response).toEqual({
      subtype: "error",
      request_id: "a",
      error: "Unsupported control request subtype: nonsense",
      error_code: "unsupported_request",
    });
    await rig.send(request("b", "initialize"));
    const initialized = await rig.lines.type("control_response");
    expect(isObject(initialized["response"]) && initialized["response"]["subtype"]).toBe("success");
    expect(rig.reported.join()).toContain("An answer to nothing");
  });
});
