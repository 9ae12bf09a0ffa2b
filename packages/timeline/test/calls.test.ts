import { describe, expect, test } from "bun:test";
import {
  agent,
  assistant,
  bash,
  events,
  host,
  init,
  play,
  result,
  runEnded,
  stream,
  toolResult,
  toolUse,
  types,
  uuid,
} from "./play.ts";

describe("tools", () => {
  test("[TL9] a call is told with its payload, and its result enriches it", () => {
    const said = [
      init(),
      bash("t1"),
      toolResult("t1", "a.txt", {
        tool_use_result: { stdout: "a.txt", stderr: "", interrupted: false },
      }),
    ];
    expect(events(said, "tool-called")).toMatchObject([
      { callId: "t1", name: "Bash", title: "ls", payload: { kind: "shell_exec", command: "ls" } },
    ]);
    expect(events(said, "tool-updated")).toMatchObject([
      {
        callId: "t1",
        status: "complete",
        payload: { kind: "shell_exec", output: { stdout: "a.txt" } },
      },
    ]);
  });

  test("[TL10] a result that comes before its call waits for it", () => {
    const said = [init(), toolResult("t1", "early"), bash("t1")];
    expect(types(said).slice(-3, -1)).toEqual(["tool-called", "tool-updated"]);
    expect(play(said).state.normalize.early).toEqual([]);
  });

  test("[TL11] a result without an id settles the oldest open call of its lane, also inside an assistant message", () => {
    const inside = agent({
      type: "assistant",
      message: { id: "m9", content: [{ type: "tool_result", content: "out" }] },
    });
    const said = [init(), bash("t1"), bash("t2"), inside];
    expect(events(said, "tool-updated").map(({ callId }) => callId)).toEqual(["t1"]);
    expect(events([init(), toolResult(undefined, "stray")], "notice")).toHaveLength(1);
    const below = agent({
      type: "assistant",
      parent_tool_use_id: "task",
      message: { id: "m8", content: [{ type: "tool_result", content: "out" }] },
    });
    const task = toolUse("task", "Task", { description: "d", prompt: "p" });
    const lanes = [init(), bash("t1"), task, bash("t2", { parent_tool_use_id: "task" }), below];
    expect(events(lanes, "tool-updated").map(({ callId }) => callId)).toEqual(["t2"]);
  });

  test("[TL11] the oldest is the one that was called first, whatever its id; a model-side result counts", () => {
    const said = [init(), bash("2"), bash("1"), toolResult(undefined, "out")];
    expect(events(said, "tool-updated").map(({ callId }) => callId)).toEqual(["2"]);
    const call = assistant("m1", {
      type: "server_tool_use",
      id: "s1",
      name: "web_search",
      input: { query: "x" },
    });
    const found = assistant("m1", {
      type: "web_search_tool_result",
      tool_use_id: "s1",
      content: [],
    });
    expect(events([init(), call, found], "tool-updated").map(({ callId }) => callId)).toEqual([
      "s1",
    ]);
  });

  test("[TL9] a text beside a result does not hide what is structured in it", () => {
    const content = [
      { type: "tool_result", tool_use_id: "t1", content: "a.txt" },
      { type: "text", text: "by the way" },
    ];
    const user = agent({
      type: "user",
      uuid: uuid(),
      message: { role: "user", content },
      tool_use_result: { stdout: "structured", stderr: "", interrupted: false },
    });
    expect(events([init(), bash("t1"), user], "tool-updated")).toMatchObject([
      { payload: { output: { stdout: "structured" } } },
    ]);
  });

  test("[TL12] a call without a result is settled at the turn's end, and as interrupted when the turn was", () => {
    expect(events([init(), bash("t1"), result()], "tool-updated")).toMatchObject([
      { callId: "t1", status: "complete" },
    ]);
    const interrupt = host({
      type: "control_request",
      request_id: "r",
      request: { subtype: "interrupt" },
    });
    const failed = { subtype: "error_during_execution", is_error: true };
    expect(events([init(), bash("t1"), interrupt, result(failed)], "tool-updated")).toMatchObject([
      { status: "interrupted" },
    ]);
  });

  test("[TL13] a denied call is denied, a failed one an error", () => {
    const block = { type: "tool_result", tool_use_id: "t1", content: "No.", is_error: true };
    const user = (more: object) =>
      agent({ type: "user", uuid: uuid(), message: { role: "user", content: [block] }, ...more });
    const meta = { tool_result_meta: [{ id: "t1", permission_decision: { decision: "reject" } }] };
    expect(events([init(), bash("t1"), user(meta)], "tool-updated")).toMatchObject([
      { status: "denied" },
    ]);
    expect(events([init(), bash("t1"), user({})], "tool-updated")).toMatchObject([
      { status: "error" },
    ]);
  });

  test("[TL14] subagents speak in the lane of their call, to any depth, and end with it", () => {
    const task = (id: string, more: object = {}) =>
      toolUse(id, "Task", { description: "d", prompt: "p" }, more);
    const said = [
      init(),
      task("t1"),
      task("t2", { parent_tool_use_id: "t1" }),
      assistant("m3", { type: "text", text: "deep" }, { parent_tool_use_id: "t2" }),
      bash("t3", { parent_tool_use_id: "t2" }),
      result(),
    ];
    expect(events(said, "block-settled")).toMatchObject([{ lane: "t2", text: "deep" }]);
    expect(events(said, "tool-updated").map(({ callId }) => callId)).toEqual(["t1", "t2", "t3"]);
  });

  test("[TL15] what a background subagent has open outlives the turn, and ends with the run", () => {
    const said = [
      init(),
      toolUse("t1", "Task", { description: "d", prompt: "p" }),
      toolResult("t1", "launched", {
        tool_use_result: { isAsync: true, status: "async_launched", agentId: "a" },
      }),
      bash("t2", { parent_tool_use_id: "t1" }),
      result(),
    ];
    expect(events(said, "tool-updated").map(({ callId }) => callId)).toEqual(["t1"]);
    const told = agent({
      type: "system",
      subtype: "task_notification",
      task_id: "a",
      tool_use_id: "t1",
      status: "completed",
    });
    expect(events([...said, told], "tool-updated").at(-1)).toMatchObject({
      callId: "t2",
      status: "interrupted",
    });
    const gone = [...said, runEnded("crashed")];
    expect(events(gone, "tool-updated").at(-1)).toMatchObject({
      callId: "t2",
      status: "interrupted",
    });
  });

  test("[TL14] a subagent that fails takes what it had open with it", () => {
    const said = [
      init(),
      toolUse("t1", "Task", { description: "d", prompt: "p" }),
      bash("t2", { parent_tool_use_id: "t1" }),
      toolResult("t1", "failed"),
    ];
    expect(events(said, "tool-updated").map(({ callId }) => callId)).toEqual(["t1", "t2"]);
    expect(play(said).state.normalize.tools).toEqual([]);
  });

  test("[TL16] progress tells how long a tool has run", () => {
    const progress = agent({
      type: "tool_progress",
      tool_use_id: "t1",
      tool_name: "Bash",
      elapsed_time_seconds: 7,
    });
    expect(events([init(), bash("t1"), progress], "tool-progressed")).toMatchObject([
      { callId: "t1", elapsedSeconds: 7 },
    ]);
  });
});

describe("depth", () => {
  const task = (id: string, more: object = {}) =>
    toolUse(id, "Task", { description: "d", prompt: "p" }, more);
  const DEEP = 400;
  /** Subagents, each under the one before it, and a word of the last. */
  const nested = (first: string) => {
    const calls = Array.from({ length: DEEP }, (_, at) =>
      task(`d${at}`, { parent_tool_use_id: at === 0 ? first : `d${at - 1}` }),
    );
    const deepest = `d${DEEP - 1}`;
    const word = assistant("deep", { type: "text", text: "deep" }, { parent_tool_use_id: deepest });
    return [...calls, word];
  };
  const launched = [
    init(),
    task("top"),
    toolResult("top", "launched", {
      tool_use_result: { isAsync: true, status: "async_launched", agentId: "a" },
    }),
  ];

  test("[TL14] hundreds of subagents below each other hang in a chain, and end with the first", () => {
    const said = [init(), task("top"), ...nested("top")];
    const { items } = play(said);
    const parents = new Map(items.map(({ id, parent }) => [id, parent]));
    let depth = 0;
    const word = items.find((item) => item.kind === "text");
    for (let at = word?.parent; at !== undefined; at = parents.get(at)) depth++;
    expect(depth).toBe(DEEP + 1);
    const ended = events([...said, toolResult("top", "done")], "tool-updated");
    expect(ended).toHaveLength(DEEP + 1);
    expect(new Set(ended.map(({ status }) => status))).toEqual(
      new Set(["complete", "interrupted"]),
    );
  });

  test("[TL14] what deeper subagents were writing is cut with the call above them all", () => {
    const start = { type: "content_block_start", index: 0, content_block: { type: "text" } };
    const growing = {
      type: "content_block_delta",
      index: 0,
      delta: { type: "text_delta", text: "half" },
    };
    const said = [
      init(),
      task("top"),
      task("d0", { parent_tool_use_id: "top" }),
      ...[{ type: "message_start", message: { id: "m" } }, start, growing].map((event) =>
        stream(event, "d0"),
      ),
      toolResult("top", "done"),
    ];
    expect(events(said, "block-cut")).toMatchObject([{ lane: "d0" }]);
    expect(play(said).items.find((item) => item.kind === "text")).toMatchObject({ live: false });
  });

  test("[TL14] of more subagents writing at once than are kept, none seems to write for ever", () => {
    const start = { type: "content_block_start", index: 0, content_block: { type: "text" } };
    const writing = Array.from({ length: 70 }, (_, at) => [
      task(`w${at}`),
      stream({ type: "message_start", message: { id: `m${at}` } }, `w${at}`),
      stream(start, `w${at}`),
    ]);
    const { items } = play([init(), ...writing.flat(), result()]);
    const texts = items.filter((item) => item.kind === "text");
    expect(texts).toHaveLength(70);
    expect(texts.filter(({ live }) => live)).toEqual([]);
  });

  test("[TL15] calls of any depth below a background subagent outlive the turn", () => {
    const { state } = play([...launched, ...nested("top"), result()]);
    expect(state.normalize.tools).toHaveLength(DEEP);
  });

  test("[TL33] a call that would hang under itself hundreds of calls below hangs under none", () => {
    const again = task("top", { parent_tool_use_id: `d${DEEP - 1}` });
    const { items } = play([init(), task("top"), ...nested("top"), again]);
    expect(items.find(({ id }) => id === "top")?.parent).toBeUndefined();
  });

  test("[TL10] of more results without a call than are waited for, none is lost", () => {
    const early = Array.from({ length: 1003 }, (_, at) => toolResult(`t${at}`, `out ${at};`));
    const said = [init(), bash("first"), ...early, bash("t0"), bash("t3"), result()];
    const told = events(said, "notice").map(({ text }) => text);
    for (const at of [0, 1, 2, 4, 1002]) expect(told.join("\n")).toContain(`out ${at};`);
    const settled = events(said, "tool-updated").map(({ callId, status }) => [callId, status]);
    expect(settled).toContainEqual(["t3", "complete"]);
  });
});
