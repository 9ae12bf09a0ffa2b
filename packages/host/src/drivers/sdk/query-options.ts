import type {
  EffortLevel,
  McpServerConfig,
  Options,
  PermissionMode,
  SettingSource,
  Settings,
} from "@anthropic-ai/claude-agent-sdk";
import type { JsonObject } from "@signalbox/protocol";
import { isObject } from "@signalbox/protocol/wire";
import type { UnsupportedOption } from "../../launch/driver.ts";
import type { Launch } from "../../launch/launch.ts";

/** From a launch to the SDK's options: what the command line says for `stdio`. */
export function launchOptions(
  launch: Launch,
  unsupportedOptions: readonly UnsupportedOption[],
): Options {
  const knows = (flag: string) => !unsupportedOptions.some(({ option }) => option === flag);
  const { resume, model, fallbackModel, effort, permissionMode, sessionId, jsonSchema } = launch;
  return {
    includePartialMessages: launch.partialMessages ?? true,
    forwardSubagentText: (launch.forwardSubagentText ?? true) && knows("--forward-subagent-text"),
    includeHookEvents: (launch.includeHookEvents ?? true) && knows("--include-hook-events"),
    enableFileCheckpointing: launch.fileCheckpoints ?? true,
    extraArgs: (launch.replayUserMessages ?? true) ? { "replay-user-messages": null } : {},
    systemPrompt: getSystemPrompt(launch),
    ...(model !== undefined && { model }),
    ...(fallbackModel !== undefined && { fallbackModel }),
    ...(effort !== undefined && knows("--effort") && { effort: effort as EffortLevel }),
    ...(launch.maxThinkingTokens !== undefined && { maxThinkingTokens: launch.maxThinkingTokens }),
    ...(launch.maxTurns !== undefined && { maxTurns: launch.maxTurns }),
    ...(launch.maxBudgetUsd !== undefined && { maxBudgetUsd: launch.maxBudgetUsd }),
    ...(jsonSchema && {
      outputFormat: { type: "json_schema", schema: jsonSchema as Record<string, unknown> },
    }),
    ...(permissionMode !== undefined && { permissionMode: permissionMode as PermissionMode }),
    ...(launch.dangerouslySkipPermissions === true && {
      permissionMode: "bypassPermissions",
      allowDangerouslySkipPermissions: true,
    }),
    ...(launch.allowedTools && { allowedTools: [...launch.allowedTools] }),
    ...(launch.disallowedTools && { disallowedTools: [...launch.disallowedTools] }),
    ...(launch.addDirs && { additionalDirectories: [...launch.addDirs] }),
    ...(launch.settings !== undefined && { settings: launch.settings as string | Settings }),
    ...(launch.settingSources && { settingSources: launch.settingSources as SettingSource[] }),
    ...(launch.strictMcpConfig === true && { strictMcpConfig: true }),
    ...(launch.continue === true && { continue: true }),
    ...(resume && { resume: resume.id }),
    ...(resume?.at !== undefined && { resumeSessionAt: resume.at }),
    ...(resume?.fork === true && { forkSession: true }),
    ...(sessionId !== undefined && { sessionId }),
  };
}

function getSystemPrompt(launch: Launch): NonNullable<Options["systemPrompt"]> {
  const { systemPrompt, appendSystemPrompt, renewSystemPrompt } = launch;
  const snapshot = renewSystemPrompt === true ? { snapshot: false } : {};
  if (systemPrompt !== undefined) return { type: "custom", prompt: systemPrompt, ...snapshot };
  return {
    type: "preset",
    preset: "claude_code",
    ...(appendSystemPrompt !== undefined && { append: appendSystemPrompt }),
    ...snapshot,
  };
}

type HookMatchers = NonNullable<Options["hooks"]>;
type Matcher = NonNullable<HookMatchers["PreToolUse"]>[number];
/** Calls a hook of the host's by the id under which `initialize` named it. */
export type CallHook = (
  id: string,
  input: unknown,
  toolUseId: string | undefined,
  signal: AbortSignal,
) => Promise<JsonObject>;

/** Hooks as `initialize` names them, as functions that the SDK calls. */
export function hookOptions(hooks: unknown, call: CallHook, failsClosed: boolean): HookMatchers {
  if (!isObject(hooks)) return {};
  const matchers = (named: unknown): Matcher[] => {
    if (!Array.isArray(named)) return [];
    return named.filter(isObject).map(({ matcher, timeout, onFailure, hookCallbackIds }) => ({
      ...(typeof matcher === "string" && { matcher }),
      ...(typeof timeout === "number" && { timeout }),
      ...(onFailure === "block" && failsClosed && { onFailure }),
      hooks: (Array.isArray(hookCallbackIds) ? hookCallbackIds : []).map(
        (id): Matcher["hooks"][number] =>
          (input, toolUseId, { signal }) =>
            call(String(id), input, toolUseId, signal),
      ),
    }));
  };
  return Object.fromEntries(Object.entries(hooks).map(([event, of]) => [event, matchers(of)]));
}

/** A launch's MCP servers, and those that live in the host's process. */
export function serverOptions(
  launch: Launch,
  inProcess: Readonly<Record<string, McpServerConfig>>,
): Record<string, McpServerConfig> {
  return { ...(launch.mcpServers as Record<string, McpServerConfig> | undefined), ...inProcess };
}
