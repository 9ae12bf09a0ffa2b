import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@signalbox/protocol/wire";
import type {
  AgentContext,
  DeferredCall,
  HostHookMatcher,
  OutgoingMessage,
} from "@signalbox/agent";
import type { Settings } from "./settings.ts";
import type { BackgroundTasks, Task } from "./tools/background.ts";
import type { SubagentRegistry } from "./tools/subagent-registry.ts";
import type { ReadFileTracker } from "./tools/read-file-tracker.ts";
import type { SubagentStats } from "./tools/subagent-stats.ts";
import type { TaskBoard } from "./tools/task-board.ts";
import type { MemoryFile } from "./memory/memory-file.ts";
import type { Entry } from "./model/conversation.ts";
import type { Credentials } from "./model/credentials.ts";
import type { Effort } from "./model/effort.ts";
import type { Ledger } from "./model/usage.ts";
import type { ModelClient } from "./model/ask.ts";
import type { PermissionSettings } from "./permission/state.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { Judge } from "./hooks/prompt.ts";
import type { McpServers } from "./mcp/servers.ts";
import type { AgentDefinition } from "./commands/agents.ts";
import type { CommandOverrides } from "./commands/command-overrides.ts";
import type { SlashCommand } from "./commands/commands.ts";
import type { OutputStyle } from "./output-styles/built-in.ts";
import type { Preface } from "./turn/system-prompt.ts";

/** The complete state of one conversation for the life of the process. */
export interface Session {
  readonly context: AgentContext;
  readonly home: string;
  /** `~/.claude`, or the value of `CLAUDE_CONFIG_DIR`. */
  readonly configFolder: string;
  /** The folder for the session's own files: outputs of tasks and tools. */
  readonly ownFolder: string;
  /** The current folder of Bash. */
  shellFolder: string;
  /** The folder of Bash as the model was last told. */
  announcedFolder: string;
  /** The settings. Hosts may change those of the command line. */
  settings: Settings;
  /** The names of built-in tools that are turned off. */
  readonly hidden: Set<string>;
  readonly permission: PermissionSettings;
  readonly hooks: Hooks;
  /** Judges for hooks of the type `agent`, in a conversation with its own tools. */
  readonly judgeByAgent: Judge;
  readonly credentials: Credentials;
  readonly model: ModelClient;
  /** The model as it was named; undefined if nobody named one. */
  modelChoice: string | undefined;
  commandOverrides: CommandOverrides;
  /** The model that the name refers to now. */
  readonly modelName: string;
  maxThinkingTokens: number | undefined;
  /** The limit of the environment for an answer. The model's own limit applies as well. */
  readonly maxOutputTokens: number | undefined;
  /** The value of `--effort`, until settings change it. */
  effort: Effort | undefined;
  jsonSchema: Readonly<Record<string, unknown>> | undefined;
  systemPrompt: readonly string[] | undefined;
  appendSystemPrompt: string | undefined;
  ledger: Ledger;
  conversation: Entry[];
  /** The size of the window after the last answer. */
  tokensInWindow: number;
  files: ReadFileTracker;
  readonly tasks: BackgroundTasks;
  readonly board: TaskBoard;
  readonly mcp: McpServers;
  agents: readonly AgentDefinition[];
  /** The kinds of agents from the host, unchanged. */
  hostAgents: Readonly<Record<string, JsonObject>>;
  /** The kind that leads the main conversation, if one was named. */
  mainAgent: AgentDefinition | undefined;
  commands: readonly SlashCommand[];
  /** The list of commands that the host has, as JSON; undefined if it did not ask for one. */
  announcedCommands: string | undefined;
  /** The last texts of skills and commands by name, as long as they are in the conversation. */
  readonly shownSkills: Map<string, string>;
  outputStyles: readonly OutputStyle[];
  hostHooks: Readonly<Record<string, readonly HostHookMatcher[]>>;
  /** How many images came with prompts. */
  pictures: number;
  /** Whether a command ran without the model. It is in the conversation for people. */
  ranLocally: boolean;
  /** The messages of SessionStart hooks, for the first prompt. */
  readonly startContexts: string[];
  /** The memory files; undefined if they were not read yet. */
  memory: readonly MemoryFile[] | undefined;
  /** A call that was deferred before the session was resumed. */
  deferred: DeferredCall | undefined;
  /** Why the memory is read the next time. */
  memoryReason: "session_start" | "compact";
  /** The instructions before the conversation in the last request. */
  preface: Preface | undefined;
  readonly subagentStats: SubagentStats;
  readonly subagentRegistry: SubagentRegistry;
  forwardsSubagentText: boolean;
  /** What was denied in this turn, also to subagents. */
  readonly denials: JsonObject[];
  /** How many answers a classifier stopped. */
  safetyStops: number;
  /** The id of the current prompt for hooks. */
  promptId: string;
  /** The path of this session's plan. */
  readonly planPath: string;
  say(message: OutgoingMessage): void;
  /** Tells the model that a task has ended, in a turn of its own if necessary. */
  notify(task: Task, status: string, summary: string, more?: string): void;
}

/** Converts a path to a folder name as Claude Code does. */
function pathAsName(path: string): string {
  return path.replace(/[^a-zA-Z0-9]/g, "-");
}

export function getHome(environment: AgentContext["environment"]): string {
  return environment["HOME"] ?? homedir();
}

export function getConfigFolder(environment: AgentContext["environment"]): string {
  return environment["CLAUDE_CONFIG_DIR"] ?? join(getHome(environment), ".claude");
}

/**
 * Returns the folder for outputs of background tasks, which is outside of the project and private.
 */
export function getOwnFolder(context: AgentContext): string {
  const base = context.environment["CLAUDE_CODE_TMPDIR"] ?? tmpdir();
  const user = process.getuid?.() ?? 0;
  return join(base, `claude-${user}`, pathAsName(context.folder), context.sessionId);
}

/**
 * Returns the folder for outputs that are too large for the conversation, beside the transcript.
 */
export function toolResultsFolder({ context }: Session): string {
  return join(context.transcriptPath.replace(/\.jsonl$/, ""), "tool-results");
}
