import { ModelError, type RecordedRequest, startModel } from "@signalbox/model";
import { describe, expect, test } from "bun:test";
import { body, events, getFailure, post, said, getText } from "./client.ts";

describe("POST /v1/messages", () => {
  test("streams an answer with the API's headers", async () => {
    await using model = await startModel({ script: "say Hello there" });
    const response = await post(model, body("hi"));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    expect(response.headers.get("request-id")).toStartWith("req_");
    expect(await response.text()).toEndWith('data: {"type":"message_stop"}\n\n');
  });
  test("answers the whole message at once when no stream is asked for", async () => {
    await using model = await startModel();
    const asked = body('::think hm\n::wait 1\n::say a b\n::tool Bash {"command":"ls"}');
    const response = await post(model, { ...asked, stream: false });
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^msg_/),
      type: "message",
      role: "assistant",
      model: "claude-test",
      content: [
        { type: "thinking", thinking: "hm", signature: expect.any(String) },
        { type: "text", text: "a b" },
        {
          type: "tool_use",
          id: expect.stringMatching(/^toolu_/),
          name: "Bash",
          input: { command: "ls" },
        },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: {
        input_tokens: expect.any(Number),
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: expect.any(Number),
      },
    });
  });
  test("lets a prompt write the answer, and shows a mistake in it to the person", async () => {
    await using model = await startModel({ script: "say scene" });
    expect(await said(model, body("Please\n::say own"))).toBe("own");
    expect(await said(model, body("::shout"))).toContain('unknown directive "shout"');
  });
  test("gives every message and every tool call an id of its own", async () => {
    await using model = await startModel({ script: "tool A\ntool B" });
    const ids = [...(await events(model, body("a"))), ...(await events(model, body("b")))]
      .map((event) => (event.message ?? event.content_block) as { id?: string } | undefined)
      .flatMap((part) => part?.id ?? []);
    expect(ids).toHaveLength(6);
    expect(new Set(ids).size).toBe(6);
  });
});

describe("errors", () => {
  test("come as often as they should, in the API's shape, and then the script goes on", async () => {
    await using model = await startModel({ script: "overload x2\nsay through" });
    for (const _ of [1, 2]) {
      const response = await post(model, body("hi"));
      expect(response.status).toBe(529);
      expect(await response.json()).toEqual({
        type: "error",
        error: { type: "overloaded_error", message: "Overloaded" },
        request_id: response.headers.get("request-id"),
      });
    }
    expect(await said(model, body("hi"))).toBe("through");
  });
  test("are counted for each session and each conversation, whatever is marked for the cache", async () => {
    await using model = await startModel({ script: "overload\nsay through" });
    const status = async (prompt: string, more: object) =>
      (
        await post(
          model,
          body([{ role: "user", content: [{ type: "text", text: prompt, ...more }] }]),
        )
      ).status;
    const other = body("a", { metadata: { user_id: "someone else" } });
    expect(await status("a", {})).toBe(529);
    expect(await status("a", { cache_control: { type: "ephemeral" } })).toBe(200);
    expect(await status("b", {})).toBe(529);
    expect((await post(model, other)).status).toBe(529);
  });
  test("are counted for each session, whichever device its program says it runs on", async () => {
    const session = "8289720e-e6bc-461c-aabf-f1522b261cd8";
    const asObject = (device_id: string) => JSON.stringify({ device_id, session_id: session });
    for (const writeUser of [
      asObject,
      (device: string) => `user_${device}_account__session_${session}`,
    ]) {
      await using own = await startModel({ script: "overload\nsay through" });
      const ask = (device: string) =>
        post(own, body("a", { metadata: { user_id: writeUser(device) } }));
      expect((await ask("first")).status).toBe(529);
      expect((await ask("second")).status).toBe(200);
    }
  });
  test("count for a request without a stream as well", async () => {
    await using model = await startModel({ script: "say a\nerror 500\nsay b" });
    const whole = body("hi", { stream: false });
    expect((await post(model, whole)).status).toBe(500);
    expect(await (await post(model, whole)).json()).toMatchObject({
      content: [{ text: "a" }, { text: "b" }],
    });
  });
  test("after the first words are an event of the stream", async () => {
    await using model = await startModel({ script: "say a\nerror 529\nsay b" });
    const first = await events(model, body("hi"));
    expect(first.at(-1)).toEqual({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded error" },
    });
    expect(getText(first)).toBe("a");
    expect(await said(model, body("hi"))).toBe("ab");
  });
  test("after a pause keep their status", async () => {
    await using model = await startModel({ script: "wait 1\nerror 503" });
    expect((await post(model, body("hi"))).status).toBe(503);
  });
  test("of a rate limit tell how long to wait", async () => {
    await using model = await startModel({ script: "rate-limit 40\nsay a" });
    const { status, headers } = await post(model, body("hi"));
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("40");
    expect(headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
    expect(headers.get("anthropic-ratelimit-unified-representative-claim")).toBe("five_hour");
    const reset = Number(headers.get("anthropic-ratelimit-unified-reset"));
    expect(reset).toBeGreaterThan(Date.now() / 1000);
  });
});

describe("the rest of the API", () => {
  test("count_tokens counts more for more", async () => {
    await using model = await startModel();
    const count = async (prompt: string) => {
      const init = { method: "POST", body: JSON.stringify(body(prompt)) };
      const response = await fetch(`${model.url}/v1/messages/count_tokens?beta=true`, init);
      return ((await response.json()) as { input_tokens: number }).input_tokens;
    };
    expect(await count("a")).toBeGreaterThan(0);
    expect(await count("a".repeat(400))).toBe((await count("")) + 100);
  });
  test("models lists one", async () => {
    await using model = await startModel();
    const response = await fetch(`${model.url}/v1/models?limit=10`);
    expect(await response.json()).toMatchObject({ data: [{ type: "model" }], has_more: false });
  });
  test.each([
    ["GET", "/"],
    ["HEAD", "/api/hello"],
    ["GET", "/v1/messages"],
    ["POST", "/v1/messages/batches"],
  ])("%s %s is not found", async (method, path) => {
    await using model = await startModel();
    const response = await fetch(model.url + path, { method });
    expect(response.status).toBe(404);
    if (method === "HEAD") return;
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type: "not_found_error" },
    });
  });
  test.each([
    ["{", "not JSON"],
    ["[]", "object"],
    ['{"model":"m"}', "messages"],
  ])("a body of %s is refused", async (sent, why) => {
    await using model = await startModel();
    const response = await post(model, sent);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: "invalid_request_error", message: expect.stringContaining(why) },
    });
  });
});

describe("startModel", () => {
  test("refuses to listen where others could reach it", async () => {
    for (const host of ["0.0.0.0", "::", "192.168.0.1", "example.com"]) {
      const failure = await getFailure(startModel({ host }));
      expect(ModelError.is(failure, "HOST_NOT_LOOPBACK")).toBe(true);
    }
  });
  test("refuses a script with a mistake before it listens", async () => {
    const failure = await getFailure(startModel({ script: "say a\nshout" }));
    expect(ModelError.is(failure, "SCRIPT_INVALID")).toBe(true);
    expect(String(failure)).toContain("line 2");
  });
  test("fails when the port is taken", async () => {
    await using model = await startModel();
    expect(await getFailure(startModel({ port: model.port }))).toBeInstanceOf(Error);
  });
  test("shows the bodies it got, and tells of each without its credentials", async () => {
    const told: RecordedRequest[] = [];
    await using model = await startModel({ onRequest: (request) => told.push(request) });
    const headers = { "x-api-key": "secret", authorization: "Bearer secret", "x-app": "cli" };
    await (await post(model, body("hi"), { headers })).text();
    expect(model.requests).toEqual([body("hi")]);
    expect(told[0]).toMatchObject({ path: "/v1/messages?beta=true", body: body("hi") });
    expect(told[0]?.headers["x-app"]).toBe("cli");
    expect(JSON.stringify(told)).not.toContain("secret");
  });
  test("keeps only the last bodies", async () => {
    await using model = await startModel();
    for (let n = 0; n < 105; n++) await (await post(model, body(`prompt ${n}`))).text();
    expect(model.requests).toHaveLength(100);
    expect(model.requests.at(-1)).toEqual(body("prompt 104"));
  });
});
