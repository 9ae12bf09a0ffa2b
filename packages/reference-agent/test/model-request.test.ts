import { describe, expect, test } from "bun:test";
import { apiMessages, getEntries } from "../src/model/conversation.ts";
import { getCost, Ledger, mergeTokens, TurnUsage } from "../src/model/usage.ts";
import { thinkingFor, withCacheMarks } from "../src/model/request.ts";
import { findViolations } from "../src/json/schema.ts";
import { contextGrid } from "../src/turn/context-grid.ts";

describe("requests to the model", () => {
  test("[RA28] a conversation has the form that the API requires, even if it was interrupted", () => {
    const text = (said: string) => [{ type: "text", text: said }];
    const use = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });
    const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "" });
    const sent = apiMessages([
      { role: "user", content: text("Hello") },
      { role: "assistant", content: [use("a")], messageId: "m" },
      { role: "user", content: [result("a")] },
      { role: "assistant", content: [use("b")], messageId: "m" },
      { role: "user", content: text("meanwhile") },
      { role: "user", content: [result("b")] },
      { role: "assistant", content: [use("torn")], messageId: "n" },
    ]);
    expect(sent).toEqual([
      { role: "user", content: text("Hello") },
      { role: "assistant", content: [use("a"), use("b")] },
      { role: "user", content: [result("a"), result("b"), ...text("meanwhile")] },
    ]);
    const stored = [
      { type: "user", message: { role: "user", content: "forgotten" } },
      { type: "system", subtype: "compact_boundary" },
      { type: "user", message: { role: "user", content: "summary" } },
      { type: "assistant", isSidechain: true, message: { role: "assistant", content: text("no") } },
    ] as const;
    expect(getEntries(stored).map(({ content }) => content)).toEqual([text("summary")]);
  });

  test("[RA28] attachments by Claude Code are included: files, hooks, messages sent in between", () => {
    const attached = (attachment: object) => ({ type: "attachment", attachment }) as const;
    const file = { filePath: "/a.txt", content: "one\ntwo", startLine: 3 };
    const stored = [
      { type: "user", message: { role: "user", content: "Hello" } } as const,
      attached({ type: "environment", text: "for Claude Code alone" }),
      attached({ type: "file", filename: "/a.txt", content: { type: "text", file } }),
      attached({ type: "directory", path: "/d", content: "b.txt" }),
      attached({ type: "compact_file_reference", filename: "/long.txt" }),
      attached({ type: "hook_success", hookEvent: "PostToolUse", content: "unheard" }),
      attached({ type: "hook_success", hookEvent: "SessionStart", hookName: "S", content: "up" }),
      attached({ type: "hook_additional_context", hookName: "H", content: ["more"] }),
      attached({ type: "invoked_skills", skills: [{ name: "greet", content: "Greet." }] }),
      attached({ type: "queued_command", prompt: "And this" }),
      { ...attached({ type: "queued_command", prompt: "to a subagent" }), isSidechain: true },
    ];
    const told = getEntries(stored).flatMap(({ content }) => content.map((block) => block["text"]));
    expect(told.join("\n")).not.toMatch(/unheard|alone|subagent/);
    for (const part of [
      "3\tone\n4\ttwo",
      "ls /d",
      "b.txt",
      "/long.txt was read",
      "S hook success: up",
      "H hook additional context: more",
      "## greet\nGreet.",
    ]) {
      expect(told.join("\n")).toContain(part);
    }
    expect(told.at(-1)).toBe("And this");
  });

  test("[RA29] a model thinks adaptively, an older one with a budget", () => {
    const adaptive = { thinking: { type: "adaptive" } };
    expect(thinkingFor("claude-opus-5-5", undefined)).toEqual(adaptive);
    expect(thinkingFor("claude-opus-5-5", 5000)).toEqual(adaptive);
    expect(thinkingFor("claude-opus-5-5", 0)).toEqual(adaptive);
    expect(thinkingFor("claude-opus-5", 0)).toEqual({ thinking: { type: "disabled" } });
    const budget = (budget_tokens: number) => ({ thinking: { type: "enabled", budget_tokens } });
    expect(thinkingFor("claude-sonnet-4-5", undefined)).toEqual(budget(31_999));
    expect(thinkingFor("claude-sonnet-4-5", 5000)).toEqual(budget(5000));
    expect(thinkingFor("claude-sonnet-4-5", 9000, 6000)).toEqual(budget(5999));
    expect(thinkingFor("claude-sonnet-4-5", 0)).toEqual({ thinking: { type: "disabled" } });
    expect(thinkingFor("claude-3-5-haiku-20241022", undefined)).toEqual({});
    expect(thinkingFor("another-model", undefined)).toEqual(adaptive);
  });

  test("[RA29] the use of the window is drawn as squares, at least one for each kind", () => {
    const category = (name: string, tokens: number, kind: "used" | "buffer" | "free") => ({
      id: name,
      name,
      tokens,
      color: name,
      kind,
    });
    const grid = contextGrid(
      [
        category("prompt", 7106, "used"),
        category("messages", 900, "used"),
        category("reserve", 13_200, "buffer"),
        category("free", 178_794, "free"),
      ],
      200_000,
    );
    const squares = grid.flat();
    const many = (name: string) => squares.filter((one) => one.categoryName === name).length;
    expect([grid.length, squares.length]).toEqual([10, 100]);
    expect([many("prompt"), many("messages"), many("free"), many("reserve")]).toEqual([
      4, 1, 88, 7,
    ]);
    expect(squares[4]?.squareFullness).toBeCloseTo(0.45);
    expect(squares.at(-1)?.squareFullness).toBeCloseTo(0.6);
  });

  test("[RA29] unchanged parts are marked for the cache, and the cost follows the price table", () => {
    const marked = withCacheMarks({
      model: "claude-opus-5-5",
      max_tokens: 1,
      system: [{ type: "text", text: "a" }],
      messages: [{ role: "user", content: "b" }],
    });
    expect(JSON.stringify(marked).match(/"ephemeral"/g)?.length).toBe(2);
    const tokens = mergeTokens(undefined, {
      input_tokens: 1_000_000,
      output_tokens: 1_000_000,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    });
    expect(getCost("claude-opus-5-5", tokens)).toBe(24);
    expect(getCost("claude-haiku-5-5", { ...tokens, input_tokens: 100 })).toBeCloseTo(0.50001);
    expect(getCost("claude-haiku-5-5", { ...tokens, output_tokens: 0 })).toBe(0.5);
  });

  test("[RA29] further counts of the API are paid for and reported as Claude Code does", () => {
    const cache_creation = { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 };
    const said = {
      input_tokens: 1000,
      cache_read_input_tokens: 500,
      cache_creation_input_tokens: 300,
      cache_creation,
      service_tier: "priority",
      inference_geo: "us",
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 3 },
    };
    const end = { output_tokens: 200, output_tokens_details: { thinking_tokens: 40 } };
    const tokens = mergeTokens(mergeTokens(undefined, said), end);
    // Version 2.1.325 computes this value.
    expect(getCost("claude-opus-5-5", tokens)).toBe(0.031220000000000005);
    const ledger = new Ledger();
    ledger.add("claude-opus-5-5", tokens, 0);
    expect(ledger.byModel()["claude-opus-5-5"]).toMatchObject({
      thinkingTokens: 40,
      cacheCreationEphemeral5mInputTokens: 100,
      cacheCreationEphemeral1hInputTokens: 200,
    });
    const usage = new TurnUsage();
    usage.add(tokens);
    const { input_tokens, ...rest } = said;
    expect(usage.report()).toMatchObject({ input_tokens, ...rest, ...end });
    usage.add(mergeTokens(undefined, { input_tokens: 1, cache_creation_input_tokens: 5 }));
    expect(usage.report()).toMatchObject({
      input_tokens: 1001,
      cache_creation_input_tokens: 305,
      cache_creation,
      service_tier: "standard",
      inference_geo: "",
    });
    usage.withoutLast();
    expect(usage.report()).toMatchObject(said);
  });

  test("[RA30] schemas are checked with everything that tools and answers use of them", () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string", minLength: 2 },
        kind: { enum: ["a", "b"] },
        list: { type: "array", items: { $ref: "#/$defs/one" }, maxItems: 2 },
        either: { anyOf: [{ type: "string" }, { type: "null" }] },
      },
      required: ["name"],
      additionalProperties: false,
      $defs: { one: { type: "integer", minimum: 1 } },
    };
    expect(findViolations(schema, { name: "Ada", kind: "a", list: [1, 2], either: null })).toEqual(
      [],
    );
    const wrong = { kind: "c", list: [0, 1.5, 3], either: 1, more: true };
    expect(findViolations(schema, wrong).map(({ at, must }) => `${at} ${must}`)).toEqual([
      " must have required property 'name'",
      "/kind must be equal to one of the allowed values",
      "/list must NOT have more than 2 items",
      "/list/0 must be >= 1",
      "/list/1 must be integer",
      "/either must be string",
      "/either must be null",
      "/either must match a schema in anyOf",
      " must NOT have additional properties",
    ]);
  });
});
