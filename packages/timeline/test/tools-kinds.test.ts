import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "@signalbox/protocol/wire";
import { describeCall, findToolKind, mcpName, type ToolKind } from "../src/tools/index.ts";

const fixtures = join(import.meta.dir, "../../../fixtures");

/** The tools that a recorded agent named, by version. */
function recordedTools(): [version: string, tool: string][] {
  const found = new Set<string>();
  const folders = readdirSync(fixtures, { withFileTypes: true });
  for (const { name: version } of folders.filter((entry) => entry.isDirectory())) {
    const files = readdirSync(join(fixtures, version)).filter((file) => file.endsWith(".ndjson"));
    const lines = files.flatMap((file) =>
      readFileSync(join(fixtures, version, file), "utf8").split("\n"),
    );
    for (const line of lines.filter((text) => text.includes('"init"'))) {
      const message = messageIn(JSON.parse(line));
      if (message?.["subtype"] !== "init" || !Array.isArray(message["tools"])) continue;
      for (const tool of message["tools"]) found.add(`${version} ${String(tool)}`);
    }
  }
  return [...found].map((pair) => pair.split(" ") as [string, string]);
}

/** A recording's line is the message, or an object with `from` and `line`. */
function messageIn(value: unknown): Record<string, unknown> | undefined {
  if (!isObject(value)) return undefined;
  const { line } = value;
  if (typeof line === "string") return messageIn(JSON.parse(line));
  return isObject(line) ? line : value;
}

describe("every tool has a kind", () => {
  test("[TL70] no built-in tool named in a recorded init is generic", () => {
    const tools = recordedTools();
    const versions = new Set(tools.map(([version]) => version));
    expect(versions.has("2.1.7") && versions.has("2.1.325")).toBe(true);
    expect(tools.length).toBeGreaterThan(40);
    expect(tools.filter(([, tool]) => findToolKind(tool) === "generic")).toEqual([]);
  });

  const kept: { [Kind in ToolKind]?: string } = {
    modify_file: "Edit Write NotebookEdit MultiEdit",
    read_file: "Read NotebookRead",
    code_search: "Glob Grep LS",
    shell_exec: "Bash",
    http_request: "WebFetch WebSearch",
    subagent_task: "Task Agent",
    create_task: "TaskCreate",
    manage_todos: "TaskUpdate TaskList TodoWrite TaskGet",
    question: "AskUserQuestion",
    plan: "ExitPlanMode EnterPlanMode",
    skill: "Skill SlashCommand",
    background_shell: "TaskOutput BashOutput KillShell KillBash TaskStop Monitor",
    worktree: "EnterWorktree ExitWorktree",
    schedule: "CronCreate CronDelete CronList ScheduleWakeup",
    workflow: "Workflow",
    misc: "ListAgents SendMessage ReportFindings ToolSearch MCPSearch ListMcpResourcesTool",
    mcp_tool: "mcp__server__tool",
    generic: "Nobody mcp__ mcp__alone __proto__ constructor toString",
  };
  test.each(Object.entries(kept))("[TL70] %s: %s", (kind, names) => {
    for (const name of names.split(" ")) {
      expect(`${name} ${findToolKind(name)}`).toBe(`${name} ${kind}`);
      expect(describeCall(name, {}).kind).toBe(kind as ToolKind);
    }
  });

  test("[TL70] the first double underscore after mcp__ divides server from tool", () => {
    expect(mcpName("mcp__my_server__a_tool")).toEqual({ server: "my_server", tool: "a_tool" });
    expect(mcpName("mcp__s__bad__one")).toEqual({ server: "s", tool: "bad__one" });
    expect(mcpName("Bash")).toBeUndefined();
  });
});
