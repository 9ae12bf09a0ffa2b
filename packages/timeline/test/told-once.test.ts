import { describe, expect, test } from "bun:test";
import { recordings } from "@signalbox/testing/recordings";
import {
  after,
  agent,
  assistant,
  host,
  init,
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
  uuid,
} from "./play.ts";

const text = (said: string) => ({ type: "text", text: said });
const delta = (index: number, said: string) =>
  stream({ type: "content_block_delta", index, delta: { type: "text_delta", text: said } });
const failed = (id: string, content: string) =>
  agent({
    type: "user",
    uuid: uuid(),
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content, is_error: true }],
    },
  });

describe("text", () => {
  test("[TL6] what a command printed is not told again by the result, before its turn or in it", () => {
    const printed = system("local_command_output", { content: "Cost: $0\n" });
    const ended = result({ result: "Cost: $0" });
    expect(shown([printed, ended], "turn-end")[0]).not.toHaveProperty("text");
    const before = play([prompt("/cost"), printed, init(), ended]);
    expect(before.items.at(-1)).not.toHaveProperty("text");
    expect(shown([printed, result({ result: "Other" })], "turn-end")).toMatchObject([
      { text: "Other" },
    ]);
  });

  test("[TL6] a text without a letter says nothing: the result's text is told", () => {
    const start = { type: "content_block_start", index: 0, content_block: { type: "text" } };
    const empty = [messageStart("m1"), stream(start), delta(0, "")];
    for (const said of [empty, [assistant("m1", text(""))]]) {
      expect(shown([...said, result()], "turn-end")).toMatchObject([{ text: "done" }]);
    }
  });

  const cutOff = (said: string): Said[] => [
    messageStart("m1"),
    ...streamed("m1", 0, text(said)), // and neither `message_delta` nor `message_stop`
  ];
  /** Whole, and not a block of what is streamed. */
  const given = (id: string, said: string, more: object = {}) =>
    agent({
      type: "assistant",
      parent_tool_use_id: null,
      uuid: uuid(),
      message: { id, model: "opus", content: [text(said)], stop_reason: "end_turn" },
      ...more,
    });
  const getTexts = (...said: Said[]) => shown(said, "text").map((item) => item["text"]);

  test("[TL84] an answer that was cut off and is given again is told once", () => {
    const again = given("m2", "This much, and");
    expect(getTexts(...cutOff("This much, and"), again)).toEqual(["This much, and"]);
    const longer = given("m2", "This much, and more.");
    expect(getTexts(...cutOff("This much, and"), longer)).toEqual(["This much, and", " more."]);
    const other = given("m2", "That much.");
    expect(getTexts(...cutOff("This much, and"), other)).toEqual(["This much, and", "That much."]);
    const shorter = given("m2", "This");
    expect(getTexts(...cutOff("This much, and"), shorter)).toEqual(["This much, and", "This"]);
    const [first, second] = ["one", "two"].map((end) => `${"alike ".repeat(40)}${end}`);
    const alike = getTexts(...cutOff(first ?? ""), given("m2", second ?? ""));
    expect(alike).toEqual([first, second]);
  });

  test("[TL84] also in a log without deltas, and the last message is the one to resume from", () => {
    const again = given("m2", "This", { uuid: "u2" });
    const { items } = after(assistant("m1", text("This")), again, result());
    expect(items.filter(({ kind }) => kind === "text")).toHaveLength(1);
    expect(items.at(-1)).toMatchObject({ kind: "turn-end", lastUuid: "u2" });
  });

  test("[TL84] the same words are new after anything that was said to the model", () => {
    const words = agent({
      type: "user",
      isSynthetic: true,
      uuid: uuid(),
      message: { role: "user", content: "Go on." },
    });
    const done = given("m2", "Done.");
    expect(getTexts(...cutOff("Done."), words, done)).toEqual(["Done.", "Done."]);
    expect(getTexts(...cutOff("Done."), prompt("again"), done)).toEqual(["Done.", "Done."]);
    const ended = stream({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} });
    expect(getTexts(...cutOff("Done."), ended, done)).toEqual(["Done.", "Done."]);
    const called = [...cutOff("Done."), toolUse("t1", "Bash", { command: "ls" })];
    expect(getTexts(...called, toolResult("t1", ""), done)).toEqual(["Done.", "Done."]);
  });

  test("[TL5] a whole message without an id settles the streamed one", () => {
    const [start, ...rest] = streamed("m1", 0, text("Hello"));
    const whole = agent({
      type: "assistant",
      uuid: uuid(),
      message: { role: "assistant", content: [text("Hello")] },
    });
    const said = [messageStart("m1"), start as Said, ...rest.slice(0, 2), whole];
    expect(shown(said, "text")).toMatchObject([{ id: "m1/0", text: "Hello", live: false }]);
    const next = { type: "assistant", uuid: uuid(), message: { content: [text("More")] } };
    expect(shown([...said, agent(next)], "text").map(({ text }) => text)).toEqual([
      "Hello",
      "More",
    ]);
  });

  test("[TL42] the words that a block begins with are part of it", () => {
    const content_block = { type: "text", text: "Hel" };
    const start = { type: "content_block_start", index: 0, content_block };
    const said = [messageStart("m1"), stream(start), delta(0, "lo")];
    expect(shown(said, "text")).toMatchObject([{ text: "Hello", live: true }]);
  });

  test("[TL30] a block whose beginning was not seen is shown, and settled once", () => {
    const unseen = [messageStart("m1"), delta(0, "Hel"), delta(0, "lo")];
    const nothingSeen = [delta(0, "Hel"), delta(0, "lo")];
    for (const said of [unseen, nothingSeen]) {
      expect(shown(said, "text")).toMatchObject([{ text: "Hello", live: true }]);
      const whole = [...said, assistant("m1", text("Hello")), result()];
      expect(shown(whole, "text")).toMatchObject([{ text: "Hello", live: false }]);
    }
  });
});

describe("an agent that comes back", () => {
  test("[TL7] prints a thousand messages again: each is known by its uuid, streamed or not", () => {
    const said: Said[] = [init()];
    for (let i = 0; i < 1000; i++) {
      said.push(...(i % 2 === 0 ? [messageStart(`m${i}`)] : []));
      said.push(assistant(`m${i}`, text(`word ${i}`)), toolUse(`t${i}`, "Bash", { command: "ls" }));
      said.push(toolResult(`t${i}`, "a.txt"));
    }
    said.push(result());
    const once = play(said.slice(-2000));
    const twice = play(said.slice(-2000), once);
    expect(twice.items).toEqual(once.items);
  });

  test("[TL46] what is remembered takes the same room from the first line on", () => {
    const long = play(Array.from({ length: 6000 }, (_, i) => assistant(`m${i}`, text("x"))));
    const room = ({ state }: typeof long) => JSON.stringify(state.normalize.recent).length;
    expect(room(long) / room(play([]))).toBeLessThan(1.02);
    expect(JSON.stringify(long.state.reduce.names).length).toBeLessThan(40_000);
  });
});

describe("a log of the agent's lines alone", () => {
  test("[TL4] tells a run that goes on under the same id as resumed", () => {
    for (const version of ["2.1.325", "2.1.7"]) {
      const story = recordings().get(`${version}/killed-and-resumed.ndjson`) ?? [];
      const { events } = play(story.filter(({ from }) => from === "agent"));
      const told = events.flatMap((event) =>
        event.type === "session-started" ? [event.status] : [],
      );
      expect(told, version).toEqual(["new", "resumed"]);
    }
  });
});

describe("tools", () => {
  const call = toolUse("t1", "Bash", { command: "ls" });

  test("[TL68] a result that comes after the turn's end is told by its call", () => {
    const late = [call, result(), toolResult("t1", "a.txt")];
    expect(shown(late, "tool")).toMatchObject([
      { status: "complete", payload: { output: { stdout: "a.txt" } } },
    ]);
    const wrong = [call, result(), failed("t1", "no such file")];
    expect(shown(wrong, "tool")).toMatchObject([{ status: "error" }]);
    expect(shown([...late, toolUse("t1", "Bash", { command: "pwd" })], "tool")).toHaveLength(2);
  });

  test("[TL68] only the last few calls are waited for", () => {
    const said: Said[] = [];
    for (let i = 0; i < 40; i++) said.push(toolUse(`t${i}`, "Bash", { command: "ls" }), result());
    const { normalize, reduce } = after(...said).state;
    expect([normalize.missed.length, reduce.open.length]).toEqual([8, 8]);
  });

  test("[TL68] a result that belongs to no call is shown with what it says", () => {
    const notices = (...said: Said[]) => shown(said, "notice").map(({ text }) => text);
    const told = "a tool result without a tool call: lost";
    expect(notices(toolResult(undefined, "lost"))).toContain(told);
    expect(notices(toolResult("nobody", "lost"), result())).toContain(told);
    expect(notices(result(), toolResult("nobody", "lost"))).toContain(told);
  });

  test("[TL13] a call that the agent itself did not allow is denied", () => {
    const denied = { tool_name: "Bash", tool_use_id: "t1", message: "not here" };
    const said = [call, system("permission_denied", denied), failed("t1", "Permission denied")];
    expect(shown(said, "tool")).toMatchObject([{ status: "denied" }]);
  });

  test("[TL2] a turn that was stopped is interrupted, and so is its call, also where the result has no words for it", () => {
    const interrupt = { subtype: "interrupt" };
    const asked = host({ type: "control_request", request_id: "i1", request: interrupt });
    const aborted = result({ terminal_reason: "aborted_tools" });
    for (const said of [
      [call, asked, result({ subtype: undefined })],
      [call, asked, result({ subtype: "error_during_execution" })],
      [call, aborted],
    ]) {
      expect(shown(said, "turn-end")).toMatchObject([{ status: "interrupted" }]);
      expect(shown(said, "tool")).toMatchObject([{ status: "interrupted" }]);
    }
  });

  test("[TL2] a good result that an interrupt came too late for is a success, and its answer is good", () => {
    const request = { subtype: "interrupt" };
    const asked = host({ type: "control_request", request_id: "i1", request });
    const answered = (response: object) =>
      agent({ type: "control_response", response: { request_id: "i1", ...response } });
    const said = assistant("m1", text("All done."), { uuid: "a1" });
    const good = { status: "success", lastUuid: "a1" };
    const yes = answered({ subtype: "success", response: {} });
    const no = answered({ subtype: "error", error: "nothing to interrupt" });
    for (const late of [
      [said, asked, result({ terminal_reason: "completed" }), yes],
      [said, asked, yes, result()],
      [said, asked, no, result()],
    ]) {
      expect(shown(late, "turn-end")).toMatchObject([good]);
    }
    const failed = result({ subtype: "error_during_execution", is_error: true, errors: ["boom"] });
    const refused = [said, asked, no, failed];
    expect(shown(refused, "turn-end")).toMatchObject([{ status: "error", error: "boom" }]);
  });
});

describe("the todo list", () => {
  const todos = (...said: Said[]) =>
    after(...said).state.reduce.summary.todos.map(({ description }) => description);
  const write = (id: string, list: string[], more: object = {}) =>
    toolUse(
      id,
      "TodoWrite",
      { todos: list.map((content) => ({ content, status: "pending" })) },
      more,
    );
  const first = [write("t1", ["a"]), toolResult("t1", "ok")];

  test("[TL39] is cleared, and kept when the call is refused or a subagent's", () => {
    expect(todos(...first)).toEqual(["a"]);
    expect(todos(...first, write("t2", []), toolResult("t2", "ok"))).toEqual([]);
    expect(todos(...first, write("t2", ["b"]), failed("t2", "no"))).toEqual(["a"]);
    const task = toolUse("t0", "Task", { description: "d", prompt: "p" });
    const sub = { parent_tool_use_id: "t0" };
    const own = [write("t2", ["b"], sub), toolResult("t2", "ok", sub)];
    expect(todos(task, ...first, ...own)).toEqual(["a"]);
  });

  test("[TL82] a change of a todo is called by its words, while it is made and when it is done", () => {
    const create = toolUse("t1", "TaskCreate", { subject: "Look around", description: "" });
    const created = toolResult("t1", "Task #1 created successfully: Look around");
    const update = toolUse("t2", "TaskUpdate", { taskId: "1", status: "in_progress" });
    const title = "#1 Look around in progress";
    expect(after(create, created, update).state.reduce.summary.doing).toBe(title);
    const done = after(create, created, update, toolResult("t2", "Updated task #1 status"));
    expect(done.items.at(-1)).toMatchObject({ kind: "tool", title });
    expect(done.state.reduce.summary).not.toHaveProperty("doing");
  });

  test("[TL39] is read from a text", () => {
    const listed = "#1 [completed] Look around\n#2 [in_progress] Write it down";
    const said = [toolUse("t1", "TaskList", {}), toolResult("t1", listed)];
    expect(after(...said).state.reduce.summary.todos).toMatchObject([
      { id: "1", description: "Look around", status: "completed" },
      { id: "2", description: "Write it down", status: "in_progress" },
    ]);
  });
});

test("[TL39] a plan that the agent wrote down is no changed file", () => {
  const write = (id: string, file_path: string) => [
    toolUse(id, "Write", { file_path, content: "x\n" }),
    toolResult(id, "File created successfully"),
  ];
  const files = after(
    ...write("t1", "/home/dev/.claude/plans/a-b.md"),
    ...write("t2", "/home/dev/demo/plans/a-b.md"),
  ).state.reduce.summary.changedFiles;
  expect(files.map(({ path }) => path)).toEqual(["/home/dev/demo/plans/a-b.md"]);
});

test("[TL25] an error in the middle of a turn is not said by the model", () => {
  const message = { id: "m9", model: "<synthetic>", content: [text("API Error: too long")] };
  const said = [agent({ type: "assistant", uuid: uuid(), message }), assistant("m1", text("on"))];
  expect(shown([...said, result()], "text").map((item) => item["text"])).toEqual(["on"]);
  expect(shown(said, "notice").at(-1)).toMatchObject({
    level: "error",
    text: "API Error: too long",
  });
});

describe("the window", () => {
  const readWindow = (model: string, modelUsage: object) => {
    const message = { id: "m1", model, content: [text("x")] };
    return after(agent({ type: "assistant", uuid: uuid(), message }), result({ modelUsage })).state
      .normalize.window;
  };

  test("[TL17] is 200,000 until known, though more be used: then nothing remains", () => {
    const usage = { input_tokens: 500_000, output_tokens: 0 };
    const message = { id: "m1", model: "opus", content: [text("x")], usage };
    const { events } = after(agent({ type: "assistant", uuid: uuid(), message }));
    expect(events.find(({ type }) => type === "context-changed")).toMatchObject({
      used: 500_000,
      window: 200_000,
      remaining: 0,
      efficiency: 100,
    });
  });

  test("[TL19] is never nothing", () => {
    expect(readWindow("opus", { opus: { contextWindow: 0 } })).toBe(200_000);
    expect(readWindow("opus", { opus: { contextWindow: -5 } })).toBe(200_000);
  });

  test("[TL19] is found under another name of the model", () => {
    const other = { haiku: { contextWindow: 5 } };
    const wide = { contextWindow: 1_000_000 };
    for (const [model, name] of [
      ["claude-x-4-5-20250929", "claude-x-4-5"],
      ["claude-x-4-5", "us.anthropic.claude-x-4-5-20250929-v1:0"],
      ["claude-x-4-5", "claude-x-4-5@20250929"],
      ["claude-x-4-5", "claude-x-4-5[1m]"],
    ] as const) {
      expect(readWindow(model, { ...other, [name]: wide })).toBe(1_000_000);
    }
  });

  test("[TL19] is found under the name that the session was given, and the same name comes first", () => {
    const wide = { contextWindow: 1_000_000 };
    const both = { opus: { contextWindow: 100_000 }, "opus[1m]": wide };
    const said = (asked: string, speaks: string, modelUsage: object) => {
      const message = { id: "m1", model: speaks, content: [text("x")] };
      const spoke = agent({ type: "assistant", uuid: uuid(), message });
      return play([init({ model: asked }), spoke, result({ modelUsage })]).state.normalize.window;
    };
    expect(said("arn:of/a-profile", "claude-x-4-5", { "arn:of/a-profile": wide })).toBe(1_000_000);
    expect(said("opus[1m]", "opus[1m]", both)).toBe(1_000_000);
    expect(said("opus[1m]", "opus", both)).toBe(1_000_000);
    expect(said("opus", "opus", both)).toBe(100_000);
  });

  test("[TL19] is not that of another model, though it be the only one that a turn names", () => {
    expect(readWindow("opus", { haiku: { contextWindow: 5 } })).toBe(200_000);
  });
});
