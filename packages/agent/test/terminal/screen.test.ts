import { describe, expect, test } from "bun:test";
import { Commands } from "../../src/terminal/commands.ts";
import { greeting } from "../../src/terminal/greeting.ts";
import { renderMessage, getTexts } from "../../src/terminal/screen.ts";
import { TextFlow } from "../../src/terminal/text-flow.ts";

const assistant = (content: object[], parent: string | null = null) => ({
  type: "assistant",
  parent_tool_use_id: parent,
  message: { role: "assistant", content },
});
const call = (name: string, input: object, id = "t") => ({ type: "tool_use", id, name, input });
const result = (content: unknown, more: object = {}) => ({
  type: "user",
  parent_tool_use_id: null,
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content, ...more }] },
});
const rows = (line: object, quiet = new Set<unknown>()) =>
  renderMessage(line as never, quiet).map(({ text }) => text);

describe("messages on the screen", () => {
  test("[AG44] a call is one line, indented for a subagent; todos are a list; questions appear where they are asked", () => {
    expect(rows(assistant([call("Bash", { command: "ls\n-la", description: "List" })]))).toEqual([
      "● Bash ls -la",
    ]);
    expect(rows(assistant([call("Read", { file_path: "/a" })], "task"))).toEqual(["    ● Read /a"]);
    expect(rows(assistant([call("mcp__shelf__fetch", { key: 1 })]))).toEqual([
      '● shelf: fetch {"key":1}',
    ]);
    const todos = [
      { content: "One", status: "completed" },
      { content: "Two", status: "pending" },
    ];
    expect(rows(assistant([call("TodoWrite", { todos })]))).toEqual([
      "● To do\n    ✔ One\n    · Two",
    ]);
    expect(rows(assistant([call("AskUserQuestion", { questions: [] })]))).toEqual([]);
    expect(getTexts(assistant([{ type: "text", text: "Hi" }]))).toEqual(["Hi"]);
    expect(getTexts(assistant([{ type: "text", text: "Hi" }], "task"))).toEqual([]);
  });

  test("[AG44] results are shortened, failures are shown in full, and text for the model alone is hidden", () => {
    expect(rows(result("1\n2\n3\n4\n5\n6\n7\n"))).toEqual([
      "  ⎿ 1\n    2\n    3\n    4\n    5\n    … 2 more lines",
    ]);
    expect(rows(result([{ type: "text", text: "a" }, { type: "image" }]))).toEqual([
      "  ⎿ a\n    [image]",
    ]);
    expect(rows(result("No.", { is_error: true }))).toEqual(["  ✗ No."]);
    const refused = "The user doesn't want to proceed with this tool use. And\nmore.";
    expect(rows(result(refused, { is_error: true }))).toEqual(["  ✗ stopped"]);
    const quiet = new Set<unknown>();
    rows(assistant([call("Write", { file_path: "/a", content: "x" })]), quiet);
    expect(rows(result("File created"), quiet)).toEqual([]);
    rows(assistant([call("Write", { file_path: "/a", content: "x" })]), quiet);
    expect(rows(result("Not written", { is_error: true }), quiet)).toEqual(["  ✗ Not written"]);
  });

  test("[AG44] the screen explains delays and how a turn ended", () => {
    const retry = {
      type: "system",
      subtype: "api_retry",
      attempt: 2,
      max_retries: 10,
      retry_delay_ms: 900,
    };
    const tail = "Trying again in 1 s (2 of 10; Ctrl-C stops)";
    expect(rows({ ...retry, error_status: null })).toEqual([
      `… The model's server cannot be reached. ${tail}`,
    ]);
    expect(rows({ ...retry, error_status: 529 })).toEqual([
      `… The model's server answered 529. ${tail}`,
    ]);
    expect(rows({ ...retry, error_status: 401 })).toEqual([
      `… The model's server does not accept the key (401). ${tail}`,
    ]);
    expect(rows({ type: "result", is_error: true, terminal_reason: "aborted_streaming" })).toEqual([
      "… interrupted",
    ]);
    expect(rows({ type: "result", is_error: true, errors: ["[x] y", "It broke"] })).toEqual([
      "✗ It broke",
    ]);
  });
});

test("[AG44] an answer streams in whole lines of the terminal's width", () => {
  const said: string[] = [];
  const flow = new TextFlow(
    () => 10,
    (line) => said.push(line),
  );
  const stream = (event: object, parent: string | null = null) =>
    flow.take({ type: "stream_event", parent_tool_use_id: parent, event });
  const text = (words: string, parent: string | null = null) =>
    stream({ type: "content_block_delta", delta: { type: "text_delta", text: words } }, parent);
  text("one two ");
  text("a subagent's", "task");
  expect(said).toEqual([]);
  text("three\nfour");
  expect(said).toEqual(["one two", "three"]);
  expect(flow.end()).toBe(true);
  expect(flow.end()).toBe(false);
  text("cut");
  stream({ type: "message_start" });
  text("whole");
  flow.end();
  expect(said).toEqual(["one two", "three", "four", "cut", "whole"]);
});

test("[AG44] an unknown command is reported with a suggestion", () => {
  const commands = new Commands();
  expect(commands.answer("/nope")).toBeUndefined();
  const { request_id } = JSON.parse(commands.request()) as { request_id: string };
  const response = { commands: [{ name: "cost" }, { name: "compact" }] };
  commands.take({ response: { subtype: "success", request_id, response } });
  expect(commands.answer("/nope")).toBe("There is no command /nope. /help lists all of them.");
  expect(commands.answer("/cots now")).toContain("Perhaps /compact, /cost?");
  expect(commands.answer("/cost")).toBeUndefined();
  expect(commands.answer("/home/me is a folder")).toBeUndefined();
  expect(commands.answer("/resume")).toContain("--resume");
  expect(commands.complete("/co")).toEqual([["/compact", "/cost"], "/co"]);
  expect(commands.complete("co")).toEqual([[], "co"]);
});

test("[AG44] resuming a conversation shows its state", () => {
  const user = (content: string, more = {}) =>
    ({ type: "user", message: { role: "user", content }, ...more }) as const;
  const conversation = [
    user("First"),
    user("Second\nline"),
    {
      type: "assistant",
      message: { role: "assistant", content: [{ type: "text", text: "Answer" }] },
    } as const,
    user("A summary", { isCompactSummary: true }),
  ];
  expect(greeting({ folder: "/f", session: { conversation } }).slice(-2)).toEqual([
    "  > Second line",
    "  Answer",
  ]);
  expect(greeting({ folder: "/f", session: { conversation: [] } })).toHaveLength(2);
});
