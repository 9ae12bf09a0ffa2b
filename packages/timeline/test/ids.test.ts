import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { advance, createTimeline, type Item, type TimelineState } from "@signalbox/timeline";
import { splitState } from "@signalbox/timeline/state";
import { recordings } from "@signalbox/testing/recordings";
import {
  after,
  agent,
  assistant,
  host,
  init,
  logLine,
  messageStart,
  play,
  prompt,
  result,
  type Said,
  shown,
  stream,
  streamed,
  system,
  toolResult,
  toolUse,
} from "./play.ts";

/* `play` throws when an item takes the id of another. */

setDefaultTimeout(180_000);

const text = (said: string) => ({ type: "text", text: said });

describe("[TL44] a name that comes again takes nothing away", () => {
  test("of a message, in another turn", () => {
    const turn = (said: string) => [init(), assistant("m1", text(said)), result()];
    expect(shown([...turn("one"), ...turn("two"), ...turn("three")], "text")).toMatchObject([
      { id: "m1/0", text: "one", turn: 1 },
      { id: "m1/0~4", text: "two", turn: 2 },
      { id: "m1/0~6", text: "three", turn: 3 },
    ]);
  });

  test("of a message that is streamed, in another turn", () => {
    const turn = (said: string) => [messageStart("m1"), ...streamed("m1", 0, text(said)), result()];
    const texts = shown([...turn("one"), init(), ...turn("two")], "text");
    expect(texts.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("of a message with another in between", () => {
    const said = [
      assistant("m1", text("a")),
      assistant("m2", text("b")),
      assistant("m1", text("c")),
    ];
    expect(shown(said, "text").map(({ text }) => text)).toEqual(["a", "b", "c"]);
  });

  test("of a call that is over, and of one that still runs", () => {
    const calls = shown(
      [
        toolUse("t1", "Bash", { command: "ls" }),
        toolResult("t1", "a.txt"),
        assistant("m2", { type: "tool_use", id: "t1", name: "Bash", input: { command: "pwd" } }),
        assistant("m3", { type: "tool_use", id: "t1", name: "Bash", input: { command: "id" } }),
        toolResult("t1", "root"),
        result(),
      ],
      "tool",
    );
    expect(calls).toMatchObject([
      { id: "t1", title: "ls", status: "complete", payload: { output: { stdout: "a.txt" } } },
      { id: "t1~3", title: "pwd", status: "interrupted" },
      { id: "t1~4", title: "id", status: "complete", payload: { output: { stdout: "root" } } },
    ]);
  });

  test("of a call that is written out, and its subagent hangs under the right one", () => {
    const task = { description: "d", prompt: "p" };
    const under = { parent_tool_use_id: "t1" };
    const said = [
      toolUse("t1", "Task", task),
      assistant("s1", text("first"), under),
      toolResult("t1", "done"),
      messageStart("m2"),
      stream({
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "t1", name: "Task" },
      }),
      stream({
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: "{" },
      }),
    ];
    expect(shown(said, "tool")).toMatchObject([
      { id: "t1", status: "complete" },
      { id: "t1~4", status: "preparing", inputText: "{" },
    ]);
    const whole = [
      ...said,
      assistant("m2", { type: "tool_use", id: "t1", name: "Task", input: task }),
      assistant("s2", text("second"), under),
    ];
    expect(shown(whole, "tool")).toMatchObject([{ id: "t1" }, { id: "t1~4", status: "running" }]);
    expect(shown(whole, "text")).toMatchObject([{ parent: "t1" }, { parent: "t1~4" }]);
  });

  test("of an ask that was withdrawn", () => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
    const ask = agent({ type: "control_request", request_id: "q1", request });
    const response = { subtype: "success", request_id: "q1", response: { behavior: "allow" } };
    const said = [
      ask,
      agent({ type: "control_cancel_request", request_id: "q1" }),
      ask,
      host({ type: "control_response", response }),
    ];
    expect(shown(said, "ask").map(({ id, status }) => [id, status])).toEqual([
      ["q1", "cancelled"],
      ["q1~3", "answered"],
    ]);
  });

  test("of a task and of a hook", () => {
    const task = (summary: string) => [
      system("task_started", { task_id: "b1", description: "d" }),
      system("task_notification", { task_id: "b1", status: "completed", summary }),
    ];
    const tasks = shown([...task("one"), ...task("two")], "task");
    expect(tasks.map(({ summary }) => summary)).toEqual(["one", "two"]);
    const about = { hook_id: "h1", hook_name: "n", hook_event: "Stop" };
    const hook = (output: string) => [
      system("hook_started", about),
      system("hook_response", { ...about, output, exit_code: 0 }),
    ];
    const hooks = shown([...hook("one"), ...hook("two")], "hook");
    expect(hooks.map(({ output }) => output)).toEqual(["one", "two"]);
  });

  test("nor does a name that another's id looks like, while both are open", () => {
    const call = (message: string, id: string, command: string) =>
      assistant(message, { type: "tool_use", id, name: "Bash", input: { command } });
    const said = [
      call("m1", "t1", "one"),
      toolResult("t1", "1"),
      call("m2", "t1", "two"), // it is `t1~3`
      call("m3", "t1~3", "three"),
      toolResult("t1~3", "3"),
      toolResult("t1", "2"),
    ];
    const told = shown(said, "tool").map((item) => [item["id"], item["title"], item["payload"]]);
    expect(told).toMatchObject([
      ["t1", "one", { output: { stdout: "1" } }],
      ["t1~3", "two", { output: { stdout: "2" } }],
      ["t1~3~4", "three", { output: { stdout: "3" } }],
    ]);
    // A lane of that name is not the other's.
    const stray = assistant("s1", text("x"), { parent_tool_use_id: "t1~3" });
    expect(shown([...said.slice(0, 3), stray], "text")).toMatchObject([{ parent: "t1~3~" }]);
  });

  test("nor does an ask, a hook or a task that has the name of a call", () => {
    const request = { subtype: "can_use_tool", tool_name: "Bash", input: { command: "ls" } };
    const hook = { hook_id: "1", hook_name: "n", hook_event: "Stop" };
    const { items } = after(
      toolUse("t1", "Bash", { command: "ls" }),
      toolUse("hook-1", "Bash", { command: "pwd" }),
      toolUse("compaction-5", "Bash", { command: "id" }),
      agent({ type: "control_request", request_id: "t1", request }),
      system("hook_started", hook),
      system("status", { status: "compacting" }),
      system("hook_response", { ...hook, output: "", exit_code: 0 }),
      toolResult("hook-1", "here"),
      toolResult("compaction-5", "root"),
      toolResult("t1", "a.txt"),
    );
    const kinds = items.map(({ kind, ...item }) => [kind, "status" in item && item.status]);
    expect(kinds.slice(2)).toEqual([
      ["tool", "complete"],
      ["tool", "complete"],
      ["tool", "complete"],
      ["ask", "open"],
      ["hook", false],
      ["compaction", false],
    ]);
  });

  test("nor do names that come to the same when they are put together", () => {
    const start = (messageId: string, lane: string | null) => [
      messageStart(messageId, lane),
      stream({ type: "content_block_start", index: 0, content_block: text("") }, lane),
    ];
    const grow = (said: string, lane: string | null) =>
      stream(
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } },
        lane,
      );
    const said = [...start("b/c", "a"), ...start("c", "a/b"), grow("one", "a"), grow("two", "a/b")];
    expect(shown(said, "text").map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("nor does a name like one of ours", () => {
    const said = [toolUse("note-0", "Bash", { command: "ls" }), toolResult("note-0", "x")];
    expect(shown(said, "tool")).toMatchObject([{ id: "note-0~2", status: "complete" }]);
  });
});

describe("[TL44] for ever", () => {
  /** A session that has had more names than are remembered. */
  const longAgo = (): TimelineState => {
    let state = createTimeline();
    for (let i = 0; i < 1100; i++) {
      const { line } = logLine(assistant(`old-${i}`, text("x")));
      state = advance(state, { from: "agent", line }).state;
    }
    return advance(state, logLine(result())).state;
  };

  test("a name that comes again after thousands of items means another item", () => {
    const said = [];
    for (const turn of ["one", "two"]) {
      for (let i = 0; i < 3000; i++) said.push(assistant(`m${i}`, text(turn)));
      said.push(result());
    }
    const { items } = play(said);
    expect(items.filter(({ kind }) => kind === "text")).toHaveLength(6000);
  });

  test("every recording shows the same when no name can be remembered any more", () => {
    const [fresh, { names }] = [createTimeline(), longAgo().reduce];
    const state = { ...fresh, reduce: { ...fresh.reduce, names } };
    const plain = (items: readonly Item[]) =>
      items.map((item) => {
        const { uuid: _, ...rest } = { uuid: "", ...item };
        return JSON.parse(JSON.stringify(rest).replaceAll(/~\d+"/g, '"')) as unknown;
      });
    for (const [story, said] of recordings()) {
      const late = play(said, { state, events: [], items: [] });
      expect(plain(late.items), story).toEqual(plain(play(said).items));
    }
  });

  test("a prompt says its uuid when that is not its id", () => {
    const id = "5f1c3f0e-0000-4000-8000-000000000001";
    const { items } = play([prompt("hi", id)], { state: longAgo(), events: [], items: [] });
    expect(items).toMatchObject([{ uuid: id, kind: "prompt" }]);
    expect(items[0]?.id).toStartWith(`${id}~`);
  });

  test("what is stored with every line stays small", () => {
    expect(JSON.stringify(splitState(longAgo()).rest).length).toBeLessThan(6000);
  });
});

test("[TL44] a block that begins once more is another: what was shown of the first stays", () => {
  const begins = stream({
    type: "content_block_start",
    index: 0,
    content_block: { type: "text", text: "" },
  });
  const says = (text: string) =>
    stream({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
  const settles = (text: string) => assistant("m1", { type: "text", text });
  const texts = (...said: Said[]) =>
    play([messageStart("m1"), ...said, result({ result: "" })]).items.flatMap((item) =>
      item.kind === "text" ? [item.text] : [],
    );
  expect(texts(begins, says("one"), begins, says("two"))).toEqual(["one", "two"]);
  expect(texts(begins, says("one"), settles("one"), begins, says("two"))).toEqual(["one", "two"]);
  expect(texts(begins, says("one"), begins, settles("two"))).toEqual(["one", "two"]);
});

test("[TL33] a call that would hang under itself, or under one below it, hangs under none", () => {
  const task = (id: string, parent: string) =>
    toolUse(id, "Task", { description: id }, { parent_tool_use_id: parent });
  const parents = (...said: Said[]) =>
    play([init(), ...said, result()])
      .items.filter(({ kind }) => kind === "tool")
      .map(({ id, parent }) => [id, parent]);
  expect(parents(task("t1", "t1"))).toEqual([["t1", undefined]]);
  expect(parents(task("t1", "t2"), task("t2", "t1"))).toEqual([
    ["t1", "t2"],
    ["t2", undefined],
  ]);
  expect(parents(task("t1", "t3"), task("t2", "t1"), task("t3", "t2"))).toEqual([
    ["t1", "t3"],
    ["t2", "t1"],
    ["t3", undefined],
  ]);
});
