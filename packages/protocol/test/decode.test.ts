import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { conversation } from "../src/messages/conversation.ts";
import { catalogue } from "../src/messages/decode.ts";
import { isHot, isStreamEvent } from "../src/messages/guards.ts";
import { system } from "../src/messages/system.ts";
import {
  readContextWindows,
  type Decoded,
  decode,
  type JsonObject,
  type Message,
  readPermissionMode,
  readResultCostUsd,
  readResultError,
  readResultSessionId,
  readResultText,
  readResultTokens,
  type SystemMessage,
} from "@signalbox/protocol";
import { looksLikeInit, findSessionId } from "@signalbox/protocol/wire";
import { changed, instead, type Json, paths } from "@signalbox/testing/damage";
import { recordings } from "@signalbox/testing/recordings";

const read = (value: unknown) => decode(typeof value === "string" ? value : JSON.stringify(value));

function known(value: unknown): Message {
  const decoded = read(value);
  if (decoded.kind !== "known") throw new Error(`not known: ${JSON.stringify(decoded)}`);
  return decoded.message;
}

describe("decoding", () => {
  test("[DE1] every line of every recording is known, and its text is kept exactly", () => {
    for (const [story, recorded] of recordings()) {
      for (const { text } of recorded) {
        const decoded = decode(text);
        expect(decoded.raw).toBe(text);
        expect(decoded.kind, `${story}: ${text.slice(0, 200)}`).toBe("known");
      }
    }
  });

  test("[DE2] a type that is not in the catalogue is unknown, with its body", () => {
    expect(read('{"z":1,"type":"brand_new"}')).toEqual({
      kind: "unknown",
      type: "brand_new",
      body: { z: 1, type: "brand_new" },
      raw: '{"z":1,"type":"brand_new"}',
    });
    expect(read({ type: "system", subtype: "brand_new" })).toMatchObject({
      kind: "unknown",
      type: "system/brand_new",
    });
    expect(read({ type: "system" })).toMatchObject({ kind: "unknown", type: "system/undefined" });
    for (const name of ["toString", "__proto__", "constructor"]) {
      expect(read({ type: name }).kind).toBe("unknown");
      expect(read({ type: "system", subtype: name }).kind).toBe("unknown");
    }
  });

  test("[DE3] a known type in another shape is drifted, and names the wrong field", () => {
    const drifted = read({ type: "assistant", message: { content: 7 } });
    expect(drifted.kind).toBe("drifted");
    expect((drifted as Extract<Decoded, { kind: "drifted" }>).why).toContain("message.content");
    expect(read({ type: "stream_event", event: "text" }).kind).toBe("drifted");
  });

  test("[DE4] a line that is not a message is noise, with the reason", () => {
    expect(read("warning: something")).toMatchObject({ kind: "noise", why: "not JSON" });
    expect(read("[1,2]")).toMatchObject({ kind: "noise", why: "not a JSON object" });
    expect(read('{"a":1}')).toMatchObject({ kind: "noise", why: "an object without a type" });
    expect(read('{"type":7}').kind).toBe("noise");
  });

  test("[DE5] deep JSON is noise and never parsed: brackets inside strings do not count", () => {
    for (const depth of [513, 1000, 10_000, 100_000, 1_000_000, 5_000_000]) {
      const deep = `{"type":"user","x":${"[".repeat(depth)}${"]".repeat(depth)}}`;
      expect(read(deep)).toMatchObject({ kind: "noise", why: "nested deeper than 512" });
    }
    const text = '[{\\"'.repeat(5000);
    expect(read(`{"type":"prompt_suggestion","suggestion":"${text}"}`).kind).toBe("known");
    expect(read(`{"type":"x","a":${"[".repeat(500)}${"]".repeat(500)}}`).kind).toBe("unknown");
  });

  test("[DE6] the key order is free: type may come last", () => {
    expect(
      known('{"duration_api_ms":1,"is_error":false,"subtype":"success","type":"result"}').type,
    ).toBe("result");
  });

  test("[DE7] the flaws of a line come along", () => {
    expect(decode({ text: "{", flaws: { droppedBytes: 3 } })).toEqual({
      kind: "noise",
      why: "not JSON",
      raw: "{",
      flaws: { droppedBytes: 3 },
    });
  });

  test("[DE8] the hand-written check of stream_event agrees with its schema", () => {
    const field = fc.oneof(fc.constant(undefined), fc.constant(null), fc.string(), fc.integer());
    const shape = fc.record(
      {
        type: fc.constant("stream_event"),
        event: fc.oneof(
          fc.record({ type: fc.oneof(fc.string(), fc.integer()) }),
          fc.constantFrom(null, [], "x", {}),
        ),
        uuid: field,
        session_id: field,
        timestamp: field,
        parent_tool_use_id: field,
      },
      { requiredKeys: ["type"] },
    );
    fc.assert(
      fc.property(shape, (body) => {
        expect(isStreamEvent({ ...body })).toBe(conversation.stream_event.safeParse(body).success);
      }),
      { numRuns: 3000 },
    );
  });

  test("[DE8] the checks by hand agree with the schemas, whatever a field of a recorded line becomes", () => {
    const hot = { ...catalogue, system: system.init };
    const seen = new Set<string>();
    let tried = 0;
    for (const [, recorded] of recordings()) {
      for (const { text } of recorded) {
        const body = JSON.parse(text) as Json & { type: keyof typeof hot };
        if (!["stream_event", "assistant", "user", "result", "system"].includes(body.type))
          continue;
        if (body.type === "system" && !text.includes('"subtype":"init"')) continue;
        for (const path of paths(body)) {
          const shape = [body.type, ...path].map((step) => (typeof step === "number" ? 0 : step));
          if (path.length > 5 || seen.has(shape.join("."))) continue;
          seen.add(shape.join("."));
          for (const to of instead) {
            const damaged = changed(body, path, to) as JsonObject;
            if (damaged["type"] !== body.type || "init" === damaged["type"]) continue;
            if (body.type === "system" && damaged["subtype"] !== "init") continue;
            const { success } = hot[body.type].safeParse(damaged);
            if (isHot(body.type, damaged) !== success) {
              throw new Error(`${success ? "refused" : "let through"}: ${JSON.stringify(damaged)}`);
            }
            tried++;
          }
        }
      }
    }
    expect(tried).toBeGreaterThan(3000);
  });

  test("[DE9] every type and subtype of the SDK's message union is in the catalogue", async () => {
    const sdk = Bun.resolveSync(
      "@anthropic-ai/claude-agent-sdk/package.json",
      `${import.meta.dir}/../../runner`,
    );
    const types = await Bun.file(sdk.replace("package.json", "sdk.d.ts")).text();
    const union = /export declare type SDKMessage = ([^;]+);/.exec(types)?.[1] ?? "";
    const members = union.split("|").map((name) => name.trim());
    expect(members.length).toBeGreaterThanOrEqual(40);
    for (const name of members) {
      const body = types.split(`declare type ${name} = `)[1]?.split("\n};")[0] ?? "";
      const type = /^\s+type: '([a-z_]+)'/m.exec(body)?.[1];
      if (!type) continue; // an alias for members that are in the union themselves
      if (type === "system") {
        const subtype = /^\s+subtype: '([a-z_]+)'/m.exec(body)?.[1] ?? "";
        expect(Object.keys(system), name).toContain(subtype);
      } else {
        expect(Object.keys(catalogue), name).toContain(type);
      }
    }
  });
});

describe("spellings", () => {
  const older = known({
    type: "result",
    subtype: "success",
    cost_usd: 0.0234,
    is_error: false,
    total_input_tokens: 45_000,
    total_output_tokens: 2300,
    model_usage: { "claude-sonnet-4-5": { context_window: 200_000 } },
    result: { text: "done", session_id: "sess_abc123" },
  }) as Message<"result">;
  const today = known({
    type: "result",
    subtype: "success",
    total_cost_usd: 0.5,
    usage: { input_tokens: 1, output_tokens: 2 },
    modelUsage: { opus: { contextWindow: 1_000_000 } },
    result: "done",
    session_id: "s",
  }) as Message<"result">;

  test("[SP1] a result reads the same in either spelling", () => {
    expect([readResultText(older), readResultText(today)]).toEqual(["done", "done"]);
    expect([readResultCostUsd(older), readResultCostUsd(today)]).toEqual([0.0234, 0.5]);
    expect([readResultSessionId(older), readResultSessionId(today)]).toEqual(["sess_abc123", "s"]);
    expect(readResultTokens(older)).toEqual({ input: 45_000, output: 2300 });
    expect(readResultTokens(today)).toEqual({ input: 1, output: 2 });
    expect([...readContextWindows(older)]).toEqual([["claude-sonnet-4-5", 200_000]]);
    expect([...readContextWindows(today)]).toEqual([["opus", 1_000_000]]);
  });

  test("[SP2] what failed is said in the agent's words", () => {
    const failed = {
      type: "result",
      subtype: "error_during_execution",
      errors: ["No conversation found"],
    };
    expect(readResultError(known(failed) as Message<"result">)).toBe("No conversation found");
    expect(readResultError(today)).toBeUndefined();
    expect(readResultError(known({ type: "result", is_error: true }) as Message<"result">)).toBe(
      "the turn failed",
    );
  });

  test("[SP3] the permission mode of init reads in either spelling", () => {
    for (const key of ["permissionMode", "permission_mode"]) {
      const init = known({ type: "system", subtype: "init", session_id: "s", [key]: "plan" });
      expect(readPermissionMode(init as SystemMessage<"init">)).toBe("plan");
    }
  });

  test("[SP4] the messages of relays and older versions are known: rate_limit, status, result without subtype, bare assistant", () => {
    known({ type: "rate_limit", message: "slow down" });
    known({ type: "status", text: "claude code connected" });
    known({ type: "result", is_error: false, result: "x", session_id: "s", cost_usd: 0.012 });
    known({ type: "assistant", message: { content: [{ type: "tool_result", content: "out" }] } });
    known({ type: "stream_event", event: { type: "message_stop" } });
    known({ type: "control_request", request: { subtype: "interrupt" } });
    known({ type: "control_response", request_id: "1", permission: { allow: true } });
    known({
      type: "control_response",
      request_id: "1",
      response: { subtype: "success", result: {} },
    });
  });

  test("[SP5] session id and init are found in lines that are not JSON", () => {
    expect(findSessionId("session_id=sess_abc123 connected")).toBe("sess_abc123");
    expect(findSessionId(`{"sessionId": "0c099879-fba4-4ddf", broken`)).toBe("0c099879-fba4-4ddf");
    expect(findSessionId("session: short")).toBeUndefined();
    expect(looksLikeInit("[system/init] ready")).toBe(true);
    expect(looksLikeInit(`{"subtype": "init", broken`)).toBe(true);
    expect(looksLikeInit("initialised")).toBe(false);
  });
});
