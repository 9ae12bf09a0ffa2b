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
import type { PermissionState } from "./permission/state.ts";
import type { Hooks } from "./hooks/hooks.ts";
import type { Judge } from "./hooks/prompt.ts";
import type { McpServers } from "./mcp/servers.ts";
import type { AgentDefinition } from "./commands/agents.ts";
import type { CommandOverrides } from "./commands/command-overrides.ts";
import type { SlashCommand } from "./commands/commands.ts";
import type { OutputStyle } from "./output-styles/built-in.ts";
import type { Preface } from "./turn/system-prompt.ts";

/** Everything that one conversation has in its hands, for as long as the process lives. */
export interface Session {
  readonly context: AgentContext;
  readonly home: string;
  /** `~/.claude`, or wherever `CLAUDE_CONFIG_DIR` says. */
  readonly configFolder: string;
  /** The session's own files: outputs of tasks and of tools. */
  readonly ownFolder: string;
  /** Where Bash is now. */
  shellFolder: string;
  /** Where the model was told that it is. */
  announcedFolder: string;
  /** Hosts may change those of the command line. */
  settings: Settings;
  /** Own tools that are switched off, by name. */
  readonly hidden: Set<string>;
  readonly permission: PermissionState;
  readonly hooks: Hooks;
  /** Judges for a hook of the type `agent`, in a conversation with tools of its own. */
  readonly judgeByAgent: Judge;
  readonly credentials: Credentials;
  readonly model: ModelClient;
  /** The model as somebody named it; absent: nobody did. */
  modelChoice: string | undefined;
  commandOverrides: CommandOverrides;
  /** The model that this means now. */
  readonly modelName: string;
  maxThinkingTokens: number | undefined;
  /** As the environment limits an answer; the model's own limit holds besides. */
  readonly maxOutputTokens: number | undefined;
  /** What `--effort` said, until settings say otherwise. */
  effort: Effort | undefined;
  jsonSchema: Readonly<Record<string, unknown>> | undefined;
  systemPrompt: readonly string[] | undefined;
  appendSystemPrompt: string | undefined;
  ledger: Ledger;
  conversation: Entry[];
  /** What the window held after the last answer. */
  tokensInWindow: number;
  files: ReadFileTracker;
  readonly tasks: BackgroundTasks;
  readonly board: TaskBoard;
  readonly mcp: McpServers;
  agents: readonly AgentDefinition[];
  /** Those that the host brought, as it did. */
  hostAgents: Readonly<Record<string, JsonObject>>;
  /** The kind that the main conversation is led as, where somebody named one. */
  mainAgent: AgentDefinition | undefined;
  commands: readonly SlashCommand[];
  /** The list of commands that the host has, as JSON; absent: it did not ask for one. */
  announcedCommands: string | undefined;
  /** What skills and commands said when they were called last, by name, as long as it stands in the conversation. */
  readonly shownSkills: Map<string, string>;
  outputStyles: readonly OutputStyle[];
  hostHooks: Readonly<Record<string, readonly HostHookMatcher[]>>;
  /** How many pictures came with prompts. */
  pictures: number;
  /** A command was done without the model: it stands in the conversation, for people. */
  ranLocally: boolean;
  /** What SessionStart hooks have to say, for the first prompt. */
  readonly startContexts: string[];
  /** What people wrote for the agent; absent: not read yet. */
  memory: readonly MemoryFile[] | undefined;
  /** A call that waits since before the session went on. */
  deferred: DeferredCall | undefined;
  /** Why it is read the next time. */
  memoryReason: "session_start" | "compact";
  /** What the model was told before the conversation when it was asked last. */
  preface: Preface | undefined;
  readonly subagentStats: SubagentStats;
  readonly subagentRegistry: SubagentRegistry;
  forwardsSubagentText: boolean;
  /** What was denied in this turn, to subagents as well. */
  readonly denials: JsonObject[];
  /** How many answers a classifier stopped. */
  safetyStops: number;
  /** The prompt that is being worked on, as hooks name it. */
  promptId: string;
  /** Where the plan of this session is written down. */
  readonly planPath: string;
  say(message: OutgoingMessage): void;
  /** Tells the model, in a turn of its own if need be, that a task has ended. */
  notify(task: Task, status: string, summary: string, more?: string): void;
}

/** Folder names that Claude Code makes of paths. */
function pathAsName(path: string): string {
  return path.replace(/[^a-zA-Z0-9]/g, "-");
}

export function getHome(environment: AgentContext["environment"]): string {
  return environment["HOME"] ?? homedir();
}

export function getConfigFolder(environment: AgentContext["environment"]): string {
  return environment["CLAUDE_CONFIG_DIR"] ?? join(getHome(environment), ".claude");
}

/** Outputs of background tasks live outside of the project, in a folder that is ours alone. */
export function getOwnFolder(context: AgentContext): string {
  const base = context.environment["CLAUDE_CODE_TMPDIR"] ?? tmpdir();
  const user = process.getuid?.() ?? 0;
  return join(base, `claude-${user}`, pathAsName(context.folder), context.sessionId);
}

/** Where what is too large for the conversation is kept, beside the transcript. */
export function toolResultsFolder({ context }: Session): string {
  return join(context.transcriptPath.replace(/\.jsonl$/, ""), "tool-results");
}
