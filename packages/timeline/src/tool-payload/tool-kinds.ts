import type { ToolKind } from "./payload.ts";

/**
 * Every built-in tool, by the kind that decides how it is shown. The names are those of 2.1.7 and
 * 2.1.325, of the SDK's tool types, and of older versions whose sessions are still read.
 */
const names: { [Kind in Exclude<ToolKind, "generic" | "mcp_tool">]: readonly string[] } = {
  read_file: ["Read", "NotebookRead"],
  modify_file: ["Edit", "Write", "NotebookEdit", "MultiEdit"],
  shell_exec: ["Bash", "PowerShell", "REPL"],
  background_shell: [
    "TaskOutput",
    "AgentOutputTool",
    "BashOutput",
    "BashOutputTool",
    "KillShell",
    "KillBash",
    "TaskStop",
    "Monitor",
  ],
  code_search: ["Glob", "Grep", "LS"],
  http_request: ["WebFetch", "WebSearch"],
  subagent_task: ["Task", "Agent"],
  create_task: ["TaskCreate"],
  manage_todos: ["TodoWrite", "TodoRead", "TaskUpdate", "TaskList", "TaskGet"],
  question: ["AskUserQuestion"],
  plan: ["EnterPlanMode", "ExitPlanMode", "exit_plan_mode"],
  skill: ["Skill", "SlashCommand"],
  worktree: ["EnterWorktree", "ExitWorktree"],
  schedule: ["CronCreate", "CronDelete", "CronList", "ScheduleWakeup"],
  workflow: ["Workflow"],
  misc: [
    "Artifact",
    "ClaudeDesign",
    "Config",
    "ListAgents",
    "ListMcpResources",
    "ListMcpResourcesTool",
    "LSP",
    "MCPSearch",
    "OfferChromeSetup",
    "Projects",
    "ProposeGoal",
    "ProposeSkills",
    "PushNotification",
    "ReadMcpResource",
    "ReadMcpResourceDir",
    "ReadMcpResourceDirTool",
    "ReadMcpResourceTool",
    "ReadNotifications",
    "RefreshMcpTools",
    "RemoteTrigger",
    "ReportFindings",
    "SendFeedback",
    "SendMessage",
    "SendUserMessage",
    "SendUserFile",
    "ShowOnboardingRolePicker",
    "Sleep",
    "StructuredOutput",
    "TeamCreate",
    "TeamDelete",
    "ToolSearch",
    "WaitForMcpServers",
  ],
};

const kinds = new Map<string, ToolKind>(
  Object.entries(names).flatMap(([kind, tools]) =>
    tools.map((tool): [string, ToolKind] => [tool, kind as ToolKind]),
  ),
);

/** The kind of a tool; `generic` for an unknown name. */
export function findToolKind(name: string): ToolKind {
  return kinds.get(name) ?? (mcpName(name) ? "mcp_tool" : "generic");
}

/**
 * Server and tool of `mcp__SERVER__TOOL`. Either may contain underscores: the first `__` separates
 * them.
 */
export function mcpName(name: string): { server: string; tool: string } | undefined {
  if (!name.startsWith("mcp__")) return undefined;
  const rest = name.slice("mcp__".length);
  const at = rest.indexOf("__");
  return at > 0 ? { server: rest.slice(0, at), tool: rest.slice(at + 2) } : undefined;
}
