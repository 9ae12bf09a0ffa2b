import { expect, test } from "bun:test";
import type { Item, TimelineEvent } from "@signalbox/timeline";
import { agent, init, play, prompt, type Said, uuid } from "./play.ts";

/** What stands beside the conversation: a line, the event it is, and what is seen of it. */
const system = (subtype: string, more: object) =>
  agent({ type: "system", subtype, session_id: "s1", uuid: uuid(), ...more });
const mcp = [{ name: "files", status: "connected" }];

type Row = [Said, Partial<TimelineEvent>, (Partial<Item> & { level: string; text: string }) | null];
const table: Record<string, Row> = {
  "files persisted": [
    system("files_persisted", {
      files: [{ filename: "a.txt", file_id: "1" }],
      failed: [{ filename: "b.txt", error: "full" }],
    }),
    { type: "files-persisted", files: ["a.txt"], failed: ["b.txt"] },
    { level: "info", text: "files kept: a.txt" },
  ],
  "auth status": [
    agent({ type: "auth_status", isAuthenticating: false, output: [], error: "expired" }),
    { type: "auth-changed", authenticating: false, error: "expired" },
    { level: "error", text: "expired" },
  ],
  "a plugin": [
    system("plugin_install", { status: "installed", name: "p" }),
    { type: "plugin-moved", status: "installed", name: "p" },
    { level: "info", text: "plugin p: installed" },
  ],
  "MCP servers": [
    init({ mcp_servers: mcp }),
    { type: "mcp-changed", servers: mcp },
    { level: "info", text: "MCP servers: files connected" },
  ],
  "a model's refusal": [
    system("model_refusal_fallback", {
      original_model: "opus",
      fallback_model: "sonnet",
      content: "refused",
    }),
    { type: "model-refused", model: "opus", fallback: "sonnet", message: "refused" },
    { level: "warning", text: "refused" },
  ],
  "the session's state": [
    system("session_state_changed", { state: "running" }),
    { type: "session-state-changed", state: "running" },
    null,
  ],
  "permission denied": [
    system("permission_denied", { tool_name: "Bash", tool_use_id: "t1", message: "not here" }),
    { type: "permission-denied", tool: "Bash", callId: "t1", message: "not here" },
    { level: "warning", text: "Bash was not allowed: not here" },
  ],
  "a prompt suggestion": [
    agent({ type: "prompt_suggestion", suggestion: "run the tests", uuid: uuid() }),
    { type: "prompt-suggested", suggestion: "run the tests" },
    { level: "suggestion", text: "run the tests" },
  ],
  "local command output": [
    system("local_command_output", { content: "Cost: $0" }),
    { type: "command-printed", text: "Cost: $0" },
    { level: "output", text: "Cost: $0" },
  ],
  "a summary of tools": [
    agent({
      type: "tool_use_summary",
      summary: "read three files",
      preceding_tool_use_ids: ["t1"],
      uuid: uuid(),
    }),
    { type: "tool-summed-up", summary: "read three files", callIds: ["t1"] },
    { level: "info", text: "read three files" },
  ],
  "a reset": [
    agent({ type: "conversation_reset", new_conversation_id: "c2", uuid: uuid() }),
    { type: "conversation-reset", conversationId: "c2" },
    { level: "info", text: "the conversation was reset" },
  ],
};

test("[TL69] what stands beside the conversation is an event, and a notice", () => {
  for (const [name, row] of Object.entries(table)) check(name, row);
});

function check(name: string, [line, event, item]: Row): void {
  const before = play([prompt("go"), init()]);
  const after = play([line], before);
  expect(after.events.slice(before.events.length), name).toMatchObject([event]);
  const news = after.items.slice(before.items.length);
  expect(news, name).toMatchObject(item === null ? [] : [{ kind: "notice", ...item }]);
}
