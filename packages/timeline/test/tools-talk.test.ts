import { describe, expect, test } from "bun:test";
import { describeCall, describeResult } from "../src/tools/index.ts";

function play(name: string, input: unknown, content: unknown, structured?: unknown) {
  return describeResult(describeCall(name, input), { content, structured, isError: false });
}

describe("questions, plans, skills", () => {
  const options = [{ label: "Red", description: "r" }, { label: "Blue" }];
  const questions = [{ question: "which color?", header: "Pick", multiSelect: false, options }];

  test("[TL78] answers come from the structure, else from the words to the model", () => {
    const text = 'Your questions have been answered: "which color?"="Blue". You can now continue.';
    const answered = { kind: "question", questions, answers: { "which color?": "Blue" } } as const;
    const structured = { questions, answers: { "which color?": "Blue" } };
    expect(play("AskUserQuestion", { questions }, text, structured)).toEqual(answered);
    expect(play("AskUserQuestion", { questions }, text)).toEqual(answered);
  });

  test("[TL78] nobody answered", () => {
    const text = "The user did not answer the questions.";
    expect(play("AskUserQuestion", { questions }, text)).toMatchObject({ answers: {} });
  });

  test("[TL78] a plan is approved, or refused with a reason", () => {
    const call = describeCall("ExitPlanMode", { plan: "# Plan\n- do it" });
    expect(call).toEqual({ kind: "plan", operation: "exit", plan: "# Plan\n- do it" });
    const structured = { plan: null, isAgent: false, filePath: "/h/.claude/plans/p.md" };
    expect(describeResult(call, { content: "", structured, isError: false })).toMatchObject({
      plan: "# Plan\n- do it",
      filePath: "/h/.claude/plans/p.md",
      approved: true,
    });
    expect(describeResult(call, { content: "Smaller, please.", isError: true })).toMatchObject({
      approved: false,
      error: "Smaller, please.",
    });
  });

  test("[TL78] a skill, also by its older names", () => {
    const greet = { kind: "skill", name: "greet", args: "Bob" } as const;
    expect(describeCall("Skill", { skill: "greet", args: "Bob" })).toEqual(greet);
    expect(describeCall("SlashCommand", { command: "/greet Bob" })).toEqual(greet);
    expect(describeCall("Skill", { command: "greet" })).toMatchObject({ name: "greet" });
    const ran = play("Skill", { skill: "greet" }, "Launching skill: greet", { success: true });
    expect(ran).toMatchObject({ output: "Launching skill: greet" });
  });
});

describe("MCP tools", () => {
  const call = {
    kind: "mcp_tool",
    server: "my_srv",
    tool: "structured",
    input: { a: [1] },
  } as const;
  const run = (content: unknown, structured?: unknown) =>
    play("mcp__my_srv__structured", { a: [1] }, content, structured);

  test("[TL79] structured content, wrapped on 2.1.325 and absent on 2.1.7", () => {
    const wrapped = { content: '{"n":4}', structuredContent: { n: 4 } };
    const output = { text: '{"n":4}', structured: { n: 4 } };
    expect(run('{"n":4}', wrapped)).toEqual({ ...call, output });
    expect(run('{"n":4}', '{"n":4}')).toEqual({ ...call, output: { text: '{"n":4}' } });
  });

  test("[TL79] text, pictures and resources", () => {
    const source = { type: "base64", media_type: "image/png", data: "AAAA" };
    const blocks = [
      { type: "text", text: "see" },
      { type: "image", source },
      { type: "text", text: "[Resource link: b] a://b" },
    ];
    const images = [{ mediaType: "image/png", data: "AAAA", bytes: 3 }];
    const output = { text: "see\n[Resource link: b] a://b", images };
    expect(run(blocks, blocks)).toEqual({ ...call, output });
    const structured = { resourceLinks: [{ uri: "a://b", name: "b" }] };
    expect(run(blocks, { content: blocks, ...structured })).toEqual({
      ...call,
      output: { ...output, structured },
    });
  });

  test("[TL79] an error without the advice to the model", () => {
    const failed = describeResult(call, {
      content: "it broke\n\nThis tool's input schema was not in your prompt …",
      structured: "Error: it broke",
      isError: true,
    });
    expect(failed).toMatchObject({ error: "it broke", output: { text: "it broke" } });
  });
});

describe("other tools", () => {
  test("[TL81] ToolSearch shows what it looked for and found", () => {
    const content = ["CronList", "CronCreate"].map((tool_name) => ({
      type: "tool_reference",
      tool_name,
    }));
    expect(play("ToolSearch", { query: "cron" }, content, { matches: [] })).toEqual({
      kind: "misc",
      label: "Find tools",
      details: [{ name: "query", value: "cron" }],
      output: "CronList\nCronCreate",
    });
  });

  test("[TL81] SendMessage says its words once, and that they did not arrive", () => {
    const input = {
      to: "nobody",
      message: "hi",
      recipient: "nobody",
      content: "hi",
      type: "message",
    };
    const display = "Not sent: no agent named 'nobody' is reachable.";
    expect(play("SendMessage", input, "{…}", { success: false, display })).toEqual({
      kind: "misc",
      label: "Send message",
      details: [
        { name: "to", value: "nobody" },
        { name: "message", value: "hi" },
        { name: "type", value: "message" },
      ],
      output: display,
      error: display,
    });
  });

  test("[TL81] ReportFindings lists the places", () => {
    const findings = [{ file: "x.txt", line: 1, summary: "bad", failure_scenario: "f" }];
    expect(play("ReportFindings", { level: "low", findings }, "1 finding reported.")).toMatchObject(
      {
        details: [
          { name: "x.txt:1", value: "bad" },
          { name: "level", value: "low" },
        ],
        output: "1 finding reported.",
      },
    );
  });

  test("[TL81] a tool that nobody knows keeps name, input and output", () => {
    const input = { deep: { list: [1, null, "x"] } };
    expect(play("Nobody", input, [{ type: "text", text: "done" }])).toEqual({
      kind: "generic",
      name: "Nobody",
      input,
      output: "done",
    });
    expect(play("Nobody", undefined, undefined, { a: 1 })).toEqual({
      kind: "generic",
      name: "Nobody",
      input: null,
      output: '{"a":1}',
    });
  });
});
