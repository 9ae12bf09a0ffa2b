import { join } from "node:path";
import {
  type AgentContext,
  findDeferredCall,
  type OutgoingMessage,
  type PermissionMode,
  type Prompt,
} from "@signalbox/agent";
import { permissionModes } from "@signalbox/agent/command-line";
import { NO_OVERRIDES } from "./commands/command-overrides.ts";
import { Hooks } from "./hooks/hooks.ts";
import { elicit, tellCompleted } from "./mcp/elicitation.ts";
import { McpServers } from "./mcp/servers.ts";
import { Credentials } from "./model/credentials.ts";
import { ModelClient } from "./model/ask.ts";
import { efforts, readEffort } from "./model/effort.ts";
import { firstModel } from "./model/first-model.ts";
import { resolveModel } from "./model/models.ts";
import { Ledger } from "./model/usage.ts";
import { readRule, splitRules } from "./permission/rule.ts";
import { PermissionSettings } from "./permission/state.ts";
import { getConfigFolder, getHome, getOwnFolder, type Session } from "./session.ts";
import { keepChange, readSettings, getRules, type Settings } from "./settings.ts";
import { tellCommands } from "./tell-commands.ts";
import { BackgroundTasks, type Task } from "./tools/background.ts";
import { SubagentRegistry } from "./tools/subagent-registry.ts";
import { ReadFileTracker } from "./tools/read-file-tracker.ts";
import { SubagentStats } from "./tools/subagent-stats.ts";
import { TaskBoard } from "./tools/task-board.ts";

/** Creates everything a session needs from its context and settings. Nothing is started yet. */
export function openSession(context: AgentContext): Session {
  const { options, environment, folder } = context;
  const settings = readSettings(context);
  const effort = readEffort(options.effort);
  if (options.effort !== undefined && effort === undefined) {
    context.report(
      `Warning: Unknown --effort value '${options.effort}' — ignoring it and using the default effort. Valid values: ${efforts.join(", ")}.`,
    );
  }
  const ownFolder = getOwnFolder(context);
  const configFolder = getConfigFolder(environment);
  const say = (message: OutgoingMessage) => context.say(message);
  const permission = openPermission(context, settings, say);
  const modelEnvironment = { ...environment, ...settings.environment };
  const credentials = new Credentials({
    environment: modelEnvironment,
    helper: () => session.settings.apiKeyHelper,
    say: (status) => say({ type: "auth_status", ...status }),
    report: context.report,
  });
  const session: Session = {
    context,
    home: getHome(environment),
    configFolder,
    ownFolder,
    shellFolder: folder,
    announcedFolder: folder,
    settings,
    hidden: new Set(),
    permission,
    hooks: new Hooks(() => session),
    judgeByAgent: async (...event) => {
      return (await import("./turn/judge-by-agent.ts")).judgeByAgent(...event);
    },
    credentials,
    model: new ModelClient(modelEnvironment, credentials),
    modelChoice: firstModel(context, settings, modelEnvironment),
    commandOverrides: NO_OVERRIDES,
    get modelName() {
      return resolveModel(
        session.commandOverrides.model ?? session.modelChoice,
        permission.mode === "plan",
      );
    },
    maxThinkingTokens:
      options.maxThinkingTokens ?? countIn(modelEnvironment["MAX_THINKING_TOKENS"]),
    maxOutputTokens: countIn(modelEnvironment["CLAUDE_CODE_MAX_OUTPUT_TOKENS"]) || undefined,
    effort,
    jsonSchema: options.jsonSchema,
    systemPrompt: options.systemPrompt === undefined ? undefined : [options.systemPrompt],
    appendSystemPrompt: options.appendSystemPrompt,
    ledger: new Ledger(),
    conversation: [],
    tokensInWindow: 0,
    files: new ReadFileTracker(),
    tasks: new BackgroundTasks(ownFolder, say),
    board: new TaskBoard(),
    mcp: new McpServers(context, settings, {
      ask: (server, question, signal) => elicit(session, server, question, signal),
      completed: (server, id) => tellCompleted(session, server, id),
      promptsChanged: () => tellCommands(session),
    }),
    agents: [],
    hostAgents: {},
    mainAgent: undefined,
    commands: [],
    announcedCommands: undefined,
    shownSkills: new Map(),
    outputStyles: [],
    hostHooks: {},
    pictures: 0,
    ranLocally: false,
    startContexts: [],
    deferred: findDeferredCall(context.conversation),
    memory: undefined,
    preface: undefined,
    subagentStats: new SubagentStats(),
    subagentRegistry: new SubagentRegistry(),
    forwardsSubagentText: options.forwardSubagentText,
    denials: [],
    safetyStops: 0,
    memoryReason: "session_start",
    promptId: "",
    planPath: join(configFolder, "plans", `${context.sessionId}.md`),
    say,
    notify(task, status, summary, result) {
      const content = notification(task, status, summary, result);
      const { parent_task_id: owner } = task.facts;
      const word = { hostText: content, modelText: content };
      const isTold = typeof owner === "string" && session.subagentRegistry.tell(owner, word);
      // The agent that started the task is told about its end; without one, the main agent is told.
      if (isTold !== "queued" && isTold !== "sent")
        context.requestTurn(createReportPrompt(task, content));
    },
  };
  return session;
}

function openPermission(
  context: AgentContext,
  settings: Settings,
  say: (message: OutgoingMessage) => void,
): PermissionSettings {
  const { options, folder, environment } = context;
  const mode = getMode(context, settings);
  const permission = new PermissionSettings({
    mode,
    mayBypass:
      !settings.forbidsBypass &&
      (options.skipPermissions || options.allowSkipPermissions || mode === "bypassPermissions"),
    folder,
    home: getHome(environment),
    folders: [...options.addDirs, ...settings.folders],
    plansFreely: settings.files.some(({ content }) => content["useAutoModeDuringPlan"] === false),
    keep: (change) => keepChange(context, change),
    onMode: (mode) =>
      say({ type: "system", subtype: "status", status: null, permissionMode: mode }),
  });
  for (const file of settings.files) permission.setRules(file.source, getRules(file), file.root);
  const fromFlags = (texts: readonly string[]) =>
    splitRules(texts).map((text) => readRule(text, "cliArg", folder));
  permission.rules.allow.push(...fromFlags(options.allowedTools));
  permission.rules.deny.push(...fromFlags(options.disallowedTools));
  return permission;
}

function getMode({ options }: AgentContext, settings: Settings): PermissionMode {
  if (options.skipPermissions && !settings.forbidsBypass) return "bypassPermissions";
  const configuredMode =
    options.permissionMode ?? permissionModes.find((mode) => mode === settings.defaultMode);
  if (configuredMode === "bypassPermissions" && settings.forbidsBypass) return "default";
  return configuredMode === undefined || configuredMode === "manual" ? "default" : configuredMode;
}

function notification(
  { id, toolUseId, outputPath }: Task,
  status: string,
  summary: string,
  result: string | undefined,
): string {
  return [
    "<task-notification>",
    `<task-id>${id}</task-id>`,
    `<tool-use-id>${toolUseId}</tool-use-id>`,
    `<output-file>${outputPath}</output-file>`,
    `<status>${status}</status>`,
    `<summary>${summary}</summary>`,
    ...(result === undefined ? [] : [`<result>${result}</result>`]),
    "</task-notification>",
  ].join("\n");
}

/** Creates the prompt that tells the model about the end of a task. No person wrote it. */
function createReportPrompt({ runId }: Task, content: string): Prompt {
  return {
    uuid: crypto.randomUUID(),
    content,
    line: {
      type: "user",
      isMeta: true,
      origin: { kind: "task-notification", producer: "session-task", runId },
    },
  };
}

function countIn(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}
