import { describe, expect, test } from "bun:test";
import { openTurnAgent, echo, openRig, prompt, request } from "./rig.ts";

describe("control requests", () => {
  test("[AG22] an answer without content has no body", async () => {
    const control = () => Promise.resolve(null);
    await using rig = await openRig(openTurnAgent(() => Promise.resolve(""), { control }));
    await rig.send(request("one", "set_something"));
    const response = { subtype: "success", request_id: "one" };
    expect((await rig.lines.type("control_response"))["response"]).toEqual(response);
  });

  test("[AG22] fields of a wrong type, and a request without a subtype, are refused in Claude Code's words", async () => {
    await using rig = await openRig(echo);
    const refused = async (subtype: string | undefined, more: object) => {
      const body = { subtype, ...more };
      await rig.send(
        JSON.stringify({ type: "control_request", request_id: crypto.randomUUID(), request: body }),
      );
      const { response } = (await rig.lines.type("control_response")) as {
        response: { error?: string; error_code?: string };
      };
      return [response.error, response.error_code];
    };
    expect(await refused("set_model", { model: 5 })).toEqual([
      "set_model: model must be a string",
      "invalid_request",
    ]);
    const [tokens] = await refused("set_max_thinking_tokens", { max_thinking_tokens: "x" });
    expect(tokens).toStartWith(
      "set_max_thinking_tokens: max_thinking_tokens must be an integer or null",
    );
    for (const hooks of ["x", { Stop: 5 }, { Stop: [{ matcher: 5, hookCallbackIds: [] }] }]) {
      const [wrong] = await refused("initialize", { hooks });
      expect(wrong).toStartWith("initialize: hooks must map hook events to arrays of matchers");
    }
    expect(await refused(undefined, {})).toEqual([
      "Unsupported control request subtype: undefined",
      "unsupported_request",
    ]);
  });

  test("[AG22] a request with a repeated id is handled and answered, unless a WebSocket repeated it", async () => {
    const control = (asked: object) => Promise.resolve({ asked });
    const agent = openTurnAgent(() => Promise.resolve(""), { control });
    const answersWith = async (args: string[]) => {
      await using rig = await openRig(agent, { args });
      await rig.send(request("one", "set_something", { to: 1 }));
      await rig.send(request("one", "set_something", { to: 2 }));
      await rig.send(request("last", "set_something", { to: 3 }));
      const answers: unknown[] = [];
      for (;;) {
        const { response } = (await rig.lines.type("control_response")) as {
          response: { request_id: string; response: { asked: { to: number } } };
        };
        answers.push([response.request_id, response.response.asked.to]);
        if (response.request_id === "last") return answers;
      }
    };
    const [first, again, last] = [
      ["one", 1],
      ["one", 2],
      ["last", 3],
    ];
    expect(await answersWith([])).toEqual([first, again, last]);
    expect(await answersWith(["--sdk-url", "ws://127.0.0.1:1"])).toEqual([first, last]);
  });

  test("[AG7] initialize is answered even if the host withdraws it", async () => {
    await using rig = await openRig(echo);
    await rig.send(request("one", "initialize"));
    await rig.send({ type: "control_cancel_request", request_id: "one" });
    expect(await rig.lines.type("control_response")).toMatchObject({
      response: { subtype: "success", request_id: "one" },
    });
  });

  test("[AG3] an environment line updates credentials and no other variables", async () => {
    const shown = openTurnAgent((_turn, { environment }) => {
      const { OTHER, CLAUDE_CODE_OAUTH_TOKEN: token } = environment;
      return Promise.resolve(`${OTHER} ${token}`);
    });
    await using rig = await openRig(shown);
    const type = "update_environment_variables";
    const variables = { OTHER: "x", CLAUDE_CODE_OAUTH_TOKEN: "renewed" };
    await rig.send({ type, variables: { OTHER: 5 }, request_id: "bad" });
    await rig.send({ type, variables, request_id: "good" });
    await rig.send({ type, variables });
    await rig.send(prompt("go"));
    expect((await rig.lines.type("result"))["result"]).toBe("undefined renewed");
    expect(rig.lines.all.filter((line) => line["type"] === "control_response")).toMatchObject([
      { response: { subtype: "error", request_id: "bad" } },
      {
        response: {
          subtype: "success",
          request_id: "good",
          response: { applied: ["CLAUDE_CODE_OAUTH_TOKEN"] },
        },
      },
    ]);
  });

  test("[AG22] the kit sets model, mode and servers if the agent does not handle them", async () => {
    await using rig = await openRig(echo);
    const ask = async (subtype: string, more: object) => {
      await rig.send(request(crypto.randomUUID(), subtype, more));
      const line = await rig.lines.type("control_response");
      return line["response"] as { response?: object; error?: string };
    };
    expect((await ask("set_model", { model: "other" })).response).toEqual({});
    expect((await ask("set_permission_mode", { mode: "plan" })).response).toEqual({ mode: "plan" });
    expect(await ask("set_permission_mode", { mode: "bogus" })).toMatchObject({
      error_code: "invalid_mode",
    });
    expect((await ask("mcp_status", {})).response).toEqual({ mcpServers: [] });
    expect((await ask("mcp_set_servers", { servers: {} })).response).toMatchObject({ errors: {} });
    expect((await ask("get_context_usage", {})).response).toMatchObject({ totalTokens: 0 });
    expect((await ask("rewind_files", { user_message_id: "x" })).error).toBe(
      "File rewinding is not enabled.",
    );
    await rig.send(prompt("go"));
    const init = await rig.lines.until(({ subtype }) => subtype === "init");
    expect(init).toMatchObject({ model: "other", permissionMode: "plan" });
  });
});
