import { describe, expect, test } from "bun:test";
import { advance, createTimeline, type Item } from "@signalbox/timeline";
import {
  agent,
  assistant,
  host,
  init,
  items,
  logLine,
  messageStart,
  newRun,
  play,
  prompt,
  result,
  runEnded,
  type Said,
  stream,
  streamed,
  toolResult,
  toolUse,
} from "./play.ts";

const summary = (said: readonly Said[]) => play(said).state.reduce.summary;

describe("items", () => {
  test("[TL30] a streamed block is one item that grows, with one id and one place", () => {
    const said = [
      init(),
      messageStart("m1"),
      ...streamed("m1", 0, { type: "text", text: "Hello, world." }),
    ];
    const revisions = said
      .map((_, i) => items(said.slice(0, i + 1), "text")[0])
      .filter((item) => item !== undefined);
    expect(new Set(revisions.map(({ id }) => id))).toEqual(new Set(["m1/0"]));
    expect(new Set(revisions.map(({ order }) => order)).size).toBe(1);
    expect(revisions.map(({ text }) => text)).toEqual([
      "",
      "Hell",
      "Hello, w",
      "Hello, world",
      "Hello, world.",
      "Hello, world.",
      "Hello, world.",
    ]);
    expect(revisions.at(-1)?.live).toBe(false);
  });

  test("[TL31] every change has a higher revision than all before it", () => {
    const said = [
      prompt("hi"),
      init(),
      messageStart("m1"),
      ...streamed("m1", 0, { type: "text", text: "Hello" }),
      result(),
    ];
    const revs: number[] = [];
    let before = play([]);
    for (const line of said) {
      const after = play([line], before);
      const changed = after.items.filter(
        (item) => before.items.find(({ id }) => id === item.id)?.rev !== item.rev,
      );
      revs.push(...changed.map(({ rev }) => rev).toSorted((a, b) => a - b));
      before = after;
    }
    expect(revs).toEqual(revs.toSorted((a, b) => a - b));
    expect(new Set(revs).size).toBe(revs.length);
  });

  test("[TL32] a call is one item from its first character to its result", () => {
    const said = [
      init(),
      messageStart("m1"),
      stream({
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "t1", name: "Bash" },
      }),
      stream({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"comm' },
      }),
    ];
    expect(items(said, "tool")).toMatchObject([
      { id: "t1", status: "preparing", inputText: '{"comm' },
    ]);
    const called = [
      ...said,
      assistant("m1", { type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }),
    ];
    expect(items(called, "tool")).toMatchObject([{ id: "t1", status: "running", title: "ls" }]);
    expect(items(called, "tool")[0]).not.toHaveProperty("inputText");
    const done = [...called, toolResult("t1", "a.txt")];
    expect(items(done, "tool")).toMatchObject([{ id: "t1", status: "complete" }]);
    expect(play(done).state.reduce.open.map(({ id }) => id)).not.toContain("t1");
  });

  test("[TL33] what a subagent says hangs under its call", () => {
    const said = [
      init(),
      toolUse("t1", "Task", { description: "d", prompt: "p" }),
      assistant("m2", { type: "text", text: "sub" }, { parent_tool_use_id: "t1" }),
    ];
    expect(items(said, "text")).toMatchObject([{ parent: "t1", text: "sub" }]);
    expect(items(said, "tool")[0]).not.toHaveProperty("parent");
  });

  test("[TL34] a message cut off by the end of the run keeps what was said of it", () => {
    const [start, ...rest] = streamed("m1", 0, { type: "text", text: "Half a sentence" });
    const cut = [init(), messageStart("m1"), ...(start ? [start] : []), ...rest.slice(0, 2)];
    const said = [...cut, runEnded("crashed", "It died.")];
    expect(items(said, "text")).toMatchObject([{ text: "Half a s", live: false }]);
    expect(items(said, "turn-end")).toMatchObject([{ status: "crashed", error: "It died." }]);
    expect(play(said).state.reduce.open).toEqual([]);
  });

  test("[TL35] an ask is open until it is answered, withdrawn, or its agent is gone", () => {
    const ask = agent({
      type: "control_request",
      request_id: "q1",
      request: { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } },
    });
    const status = (...more: Said[]) => items([init(), ask, ...more], "ask")[0]?.status;
    expect(status()).toBe("open");
    expect(
      status(
        host({
          type: "control_response",
          response: { subtype: "success", request_id: "q1", response: { behavior: "allow" } },
        }),
      ),
    ).toBe("answered");
    expect(status(agent({ type: "control_cancel_request", request_id: "q1" }))).toBe("cancelled");
    expect(status(runEnded("ended"))).toBe("cancelled");
  });

  test("[TL35] nothing seems to go on after the run: tasks, hooks and compaction end with it", () => {
    const said = [
      init(),
      agent({ type: "system", subtype: "task_started", task_id: "a", description: "build" }),
      agent({ type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "a" }] }),
      agent({
        type: "system",
        subtype: "hook_started",
        hook_id: "h",
        hook_name: "lint",
        hook_event: "Stop",
      }),
      agent({ type: "system", subtype: "status", status: "compacting" }),
      runEnded("crashed"),
    ];
    expect(play(said).state.reduce.open).toEqual([]);
    expect(summary(said).tasks).toEqual([]);
    expect(items(said, "task")).toMatchObject([{ status: "stopped" }]);
  });

  test("[TL36] what nobody knows is an item with its text", () => {
    expect(items([agent({ type: "brand_new", x: 1 })], "opaque")).toMatchObject([
      { name: "brand_new", raw: '{"type":"brand_new","x":1}' },
    ]);
  });
});

describe("the summary", () => {
  test("[TL37] has title, model, mode, cost, tokens, turns, context and what happened last", () => {
    const said = [
      prompt("Fix the tests\nplease"),
      init(),
      assistant("m1", { type: "text", text: "x" }),
      result(),
      init(),
      result({ total_cost_usd: 0.75 }),
    ];
    expect(summary(said)).toMatchObject({
      title: "Fix the tests",
      sessionId: "s1",
      status: "idle",
      model: "opus",
      mode: "default",
      costUsd: 0.75,
      inputTokens: 200,
      outputTokens: 40,
      turns: 2,
      context: { used: 116, window: 1_000_000 },
    });
  });

  test("[TL37] says when things began and ended, where the log or the agent knows", () => {
    const dated = (time: string) => ({ timestamp: `2026-11-15T06:00:${time}Z` });
    const said = [
      init(),
      toolUse("t1", "Bash", { command: "ls" }, dated("01")),
      toolResult("t1", "x", dated("04")),
    ];
    const [tool] = items(said, "tool");
    expect((tool?.endedAt ?? 0) - (tool?.at ?? 0)).toBe(3000);
    expect(summary(said).lastActivityAt).toBe(Date.parse("2026-11-15T06:00:04Z"));
  });

  test("[TL58] knows how long a call stood still while a person was asked about it", () => {
    const ask = (id: string) =>
      agent({
        type: "control_request",
        request_id: id,
        request: { subtype: "can_use_tool", tool_name: "Bash", input: {}, tool_use_id: "t1" },
      });
    const answer = (id: string, behavior: string) =>
      host({
        type: "control_response",
        response: { subtype: "success", request_id: id, response: { behavior } },
      });
    /** What each line, said at its second, made of the call. */
    const waits = (lines: readonly (readonly [number, Said])[]) => {
      let state = createTimeline();
      let call: Item | undefined;
      for (const [at, said] of lines) {
        const step = advance(state, { ...logLine(said), at });
        state = step.state;
        call = step.changed.findLast(({ id }) => id === "t1") ?? call;
      }
      return call?.kind === "tool" ? [call.status, call.waits] : undefined;
    };
    const called = [[1, toolUse("t1", "Bash", { command: "ls" })]] as const;
    const asked = [...called, [2, ask("q1")]] as const;
    const allowed = [...asked, [7, answer("q1", "allow")]] as const;
    expect(waits(called)).toEqual(["running", undefined]);
    expect(waits(asked)).toEqual(["running", [{ from: 2 }]]);
    expect(waits([...allowed, [8, answer("q1", "allow")]])).toEqual([
      "running",
      [{ from: 2, to: 7 }],
    ]);
    expect(waits([...allowed, [8, ask("q2")], [9, toolResult("t1", "x")]])).toEqual([
      "complete",
      [
        { from: 2, to: 7 },
        { from: 8, to: 9 },
      ],
    ]);
    const withdrawn = agent({ type: "control_cancel_request", request_id: "q1" });
    expect(waits([...asked, [5, withdrawn]])).toEqual(["running", [{ from: 2, to: 5 }]]);
  });

  test("[TL38] adds up the cost of several runs, since each counts from its own start", () => {
    const said = [
      init(),
      result({ total_cost_usd: 0.5 }),
      ...newRun(),
      init(),
      result({ total_cost_usd: 0.25 }),
    ];
    expect(summary(said).costUsd).toBe(0.75);
  });

  test("[TL39] follows a list that is changed task by task", () => {
    const create = (id: string, subject: string) => [
      toolUse(id, "TaskCreate", { subject, description: "" }),
      toolResult(id, "ok", { tool_use_result: { task: { id: subject, subject } } }),
    ];
    const update = (id: string, input: object) => [
      toolUse(id, "TaskUpdate", input),
      toolResult(id, "ok", {
        tool_use_result: { success: true, taskId: "a", updatedFields: ["status"] },
      }),
    ];
    const said = [
      init(),
      ...create("t1", "a"),
      ...create("t2", "b"),
      ...update("t3", { taskId: "a", status: "completed" }),
      ...update("t4", { taskId: "b", status: "deleted" }),
    ];
    expect(summary(said).todos).toEqual([{ id: "a", description: "a", status: "completed" }]);
  });

  test("[TL39] has todos, background tasks and changed files", () => {
    const todos = [
      { content: "one", status: "completed", activeForm: "" },
      { content: "two", status: "pending", activeForm: "" },
    ];
    const said = [
      init(),
      toolUse("t1", "TodoWrite", { todos }),
      toolResult("t1", "ok"),
      toolUse("t2", "Edit", { file_path: "/a.txt", old_string: "x", new_string: "y\nz" }),
      toolResult("t2", "ok"),
      agent({
        type: "system",
        subtype: "background_tasks_changed",
        tasks: [{ task_id: "b1", description: "build" }],
      }),
      agent({
        type: "control_request",
        request_id: "q1",
        request: { subtype: "can_use_tool", tool_name: "Bash", input: {} },
      }),
    ];
    expect(summary(said)).toMatchObject({
      status: "asking",
      todos: [
        { description: "one", status: "completed" },
        { description: "two", status: "pending" },
      ],
      tasks: [{ taskId: "b1", description: "build" }],
      changedFiles: [{ path: "/a.txt", added: 2, removed: 1 }],
    });
  });
});

test("a thought has the time at which it was complete", () => {
  const at = (text: string, time: number) => ({ ...logLine({ from: "agent", text }), at: time });
  const lines = [
    init(),
    messageStart("m1"),
    ...streamed("m1", 0, { type: "thinking", thinking: "Why?" }),
  ];
  let state = createTimeline();
  const ended: unknown[] = [];
  for (const [index, { text }] of lines.entries()) {
    const step = advance(state, at(text, 1000 * (index + 1)));
    ({ state } = step);
    for (const item of step.changed) if (item.kind === "thinking" && !item.live) ended.push(item);
  }
  expect(ended).toMatchObject([{ kind: "thinking", at: 3000 }]);
  expect((ended[0] as Item & { endedAt?: number }).endedAt).toBeGreaterThan(3000);
});

test("the summary has the beginning of the main agent's last text", () => {
  const said = [
    init(),
    assistant("m1", { type: "text", text: "First." }),
    assistant("m2", { type: "text", text: "x".repeat(500) }),
  ];
  expect(summary(said).lastText).toBe("x".repeat(200));
});
