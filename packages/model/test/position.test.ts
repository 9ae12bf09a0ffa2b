import { describe, expect, test } from "bun:test";
import { beforeCompaction, summary } from "../src/conversation/compaction.ts";
import { findPosition } from "../src/conversation/position.ts";
import { readRequest, type Turn } from "../src/conversation/request.ts";
import { seenTexts } from "../src/conversation/seen.ts";

const text = (text: string) => ({ type: "text", text });
const result = (content: unknown) => ({ type: "tool_result", tool_use_id: "t", content });
const user = (...content: (string | Turn["content"][number])[]): Turn => ({
  role: "user",
  content: content.map((block) => (typeof block === "string" ? text(block) : block)),
});
const assistant = (said: string): Turn => ({ role: "assistant", content: [text(said)] });
const calls: Turn = { role: "assistant", content: [{ type: "tool_use" }] };
const system = (content: string): Turn => ({ role: "system", content });
const reminder = "<system-reminder>\n::say not this\n</system-reminder>\n";

/** How 2.1.325 hands on what a person sends while the model works. */
const note = (said: string) =>
  `The user sent a new message while you were working:\n${said}\n\nThis is how Claude Code surfaces messages the user sends mid-turn.`;
/** How both versions begin after a compaction. */
const continued = (summary: string) =>
  `This session is being continued from a previous conversation that ran out of context.\n\n${summary}\n\nIf you need`;

function ask(more: object) {
  const read = readRequest({ model: "claude-opus", messages: [user("hi")], ...more });
  if ("why" in read) throw new Error(read.why);
  return read;
}

describe("where a conversation stands", () => {
  test("at the first prompt, whether its content is a string or blocks", () => {
    expect(findPosition([{ role: "user", content: "hi" }])).toEqual({ prompt: "hi", answered: 0 });
    expect(findPosition([user(reminder, "hi"), system("# Environment")])).toEqual({
      prompt: "hi",
      answered: 0,
    });
  });
  test("one further for each assistant message, and tool results do not count", () => {
    const turns = [user("hi"), calls, user(result("a"), result("b")), calls, user(result("c"))];
    expect(findPosition(turns)).toEqual({ prompt: "hi", answered: 2 });
  });
  test("at the last prompt of several", () => {
    const turns = [user("one"), assistant("a"), user("two"), assistant("b"), user("three")];
    expect(findPosition(turns)).toEqual({ prompt: "three", answered: 0 });
  });
  test("a reminder around or inside a text is not part of the prompt", () => {
    expect(findPosition([user(`${reminder}hi\n${reminder}`)]).prompt).toBe("hi");
    expect(findPosition([user("hi"), calls, user(result(`out\n${reminder}`), reminder)])).toEqual({
      prompt: "hi",
      answered: 1,
    });
  });
  test("after an interrupt the next prompt counts, even beside the results of a tool", () => {
    const interrupted = "[Request interrupted by user for tool use]\n";
    expect(findPosition([user("a"), calls, user(result("stopped"), interrupted, "b")])).toEqual({
      prompt: "b",
      answered: 0,
    });
    expect(findPosition([user("a", "[Request interrupted by user]", "b")]).prompt).toBe("b");
  });
  test("an interrupt alone asks for nothing", () => {
    const turns = [user("a"), assistant("b"), user("[Request interrupted by user]")];
    expect(findPosition(turns)).toEqual({ prompt: "a", answered: 1 });
  });
  test("a prompt left without an answer gives way to the next in the same message", () => {
    expect(findPosition([user("::error 403\n", "hi")]).prompt).toBe("hi");
  });
  test.each([
    "Stop hook feedback:\nplease go on",
    "Output token limit hit. Resume directly",
    "Your response was cut off because it exceeded the output token limit.",
    "Your response above was cut off mid-stream. Resume directly from where it stops",
    "Your response above was stopped by a safety classifier",
    "Continue from where you left off.",
  ])("the scene goes on after %j", (remark) => {
    expect(findPosition([user("hi"), assistant("a"), user(remark)])).toEqual({
      prompt: "hi",
      answered: 1,
    });
  });
  test("the scene goes on after a background task has reported", () => {
    const old =
      "<task-notification>\n<task-id>b</task-id>\n</task-notification>\nRead the output file to retrieve the result: /tmp/b";
    const recent = `<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\n${old}\n</system-reminder>`;
    for (const notice of [old, recent]) {
      const turns = [user("hi"), assistant("a"), user(notice)];
      expect(findPosition(turns)).toEqual({ prompt: "hi", answered: 1 });
    }
  });
  test("the text of a skill and the note of a tool search are no prompts", () => {
    const skill = user(
      result("Launching skill: greet"),
      "Base directory for this skill: /x\n::say no",
    );
    expect(findPosition([user("hi"), calls, skill])).toEqual({ prompt: "hi", answered: 1 });
    const search = user(result([{ type: "tool_reference" }]), "Tool loaded.");
    expect(findPosition([user("hi"), calls, search])).toEqual({ prompt: "hi", answered: 1 });
  });
  test("a slash command's text is the prompt, its wrapping is not", () => {
    const wrapping = "<command-message>foo</command-message>\n<command-name>/foo</command-name>";
    expect(findPosition([user(wrapping, "::say from foo")]).prompt).toBe("::say from foo");
    const local = user("<local-command-stdout>Compacted </local-command-stdout>", "after");
    expect(findPosition([local]).prompt).toBe("after");
  });
  test("what a person sends while the model works takes over, all of it together", () => {
    const turns = [user("a"), calls, user(result("b")), system(`${note("c")}\n\n${note("d\ne")}`)];
    expect(findPosition(turns)).toEqual({ prompt: "c\nd\ne", answered: 0 });
    expect(findPosition([...turns, calls, user(result("f"))]).answered).toBe(1);
  });
  test("nowhere, when nobody has said anything", () => {
    expect(findPosition([])).toEqual({ prompt: "", answered: 0 });
  });
});

describe("compaction", () => {
  const order =
    "CRITICAL: Respond with TEXT ONLY.\n\nYour task is to create a detailed summary of it";
  test("the order is found alone, beside tool results and beside the last prompt", () => {
    expect(beforeCompaction([user("hi"), assistant("a"), user(order)])).toBeDefined();
    expect(beforeCompaction([user("hi"), calls, user(result("a"), order)])).toBeDefined();
    expect(beforeCompaction([user("hi", order)])).toBeDefined();
    expect(beforeCompaction([user("hi"), { role: "user", content: order }])).toBeDefined();
  });
  test("an ordinary prompt is no such order", () => {
    expect(beforeCompaction([user("Please make a summary")])).toBeUndefined();
  });
  test("the place in the scene survives the summary", () => {
    const before = beforeCompaction([user("::say a\n::say b"), calls, user(result("x"), order)]);
    const carried = summary(findPosition(before ?? []));
    const after = [user(reminder, continued(carried))];
    expect(findPosition(after)).toEqual({ prompt: "::say a\n::say b", answered: 1 });
    expect(findPosition([...after, calls, user(result("y"))]).answered).toBe(2);
  });
  test("a prompt after the summary counts, and a summary by someone else is no prompt", () => {
    expect(findPosition([user(continued("All went well."), "next")]).prompt).toBe("next");
    expect(findPosition([user(continued("All went well."))])).toEqual({ prompt: "", answered: 0 });
  });
});

describe("a request", () => {
  test("of the small model without tools is the program's own", () => {
    expect(ask({ model: "claude-haiku-4-5", tools: [] }).aside).toBe(true);
    expect(ask({ model: "claude-haiku-4-5", tools: [{ name: "Bash" }] }).aside).toBe(false);
    expect(ask({}).aside).toBe(false);
  });
  test("that lets the API search the web is the program's own", () => {
    expect(ask({ tools: [{ type: "web_search_20250305", name: "web_search" }] }).aside).toBe(true);
  });
  test("that asks for a suggestion or a recap is the program's own", () => {
    const messages = [user("hi"), assistant("a"), user("[SUGGESTION MODE: Suggest what …]")];
    expect(ask({ messages }).aside).toBe(true);
  });
  test.each([
    [[], "object"],
    [{ messages: [] }, "model"],
    [{ model: "m" }, "messages"],
    [{ model: "m", messages: [{ role: "user" }] }, "content"],
    [{ model: "m", messages: [{ role: "user", content: ["hi"] }] }, "content"],
  ])("%j is refused with a reason", (body, why) => {
    expect(readRequest(body)).toEqual({ why: expect.stringContaining(why) });
  });
});

test("what the program told the model is tool results, system messages and reminders", () => {
  const turns = [
    user(reminder, "no"),
    system("sys"),
    calls,
    user(result("a"), result([text("b")])),
  ];
  expect(seenTexts(turns)).toEqual([reminder.trim(), "sys", "a", "b"]);
});
