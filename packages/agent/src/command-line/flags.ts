/** A flag of the command line, spelled as in Claude Code. */
export type Flag = {
  readonly names: readonly string[];
  /** The name of its value in messages; missing for a flag without a value. */
  readonly value?: string;
  /** `many`: takes everything up to the next flag; `optional`: the value may be omitted. */
  readonly takes?: "many" | "optional";
  readonly choices?: readonly string[];
};

const alone = (...names: string[]): Flag => ({ names });
const one = (name: string, value: string, choices?: readonly string[]): Flag => ({
  names: [name],
  value,
  ...(choices && { choices }),
});
const many = (value: string, ...names: string[]): Flag => ({ names, value, takes: "many" });

const modes = ["acceptEdits", "auto", "bypassPermissions", "manual", "dontAsk", "plan", "default"];

/**
 * The flags by our names. Flags for features that only Claude Code has are accepted and have no
 * effect.
 */
export const flags = {
  print: alone("-p", "--print"),
  help: alone("-h", "--help"),
  version: alone("-v", "--version"),
  verbose: alone("--verbose"),
  inputFormat: one("--input-format", "format", ["text", "stream-json"]),
  outputFormat: one("--output-format", "format", ["text", "json", "stream-json"]),
  partialMessages: alone("--include-partial-messages"),
  replayUserMessages: alone("--replay-user-messages"),
  hookEvents: alone("--include-hook-events"),
  forwardSubagentText: alone("--forward-subagent-text"),
  authStatus: alone("--enable-auth-status"),

  model: one("--model", "model"),
  fallbackModel: one("--fallback-model", "model"),
  effort: one("--effort", "level"),
  betas: many("betas", "--betas"),
  systemPrompt: one("--system-prompt", "prompt"),
  systemPromptFile: one("--system-prompt-file", "file"),
  appendSystemPrompt: one("--append-system-prompt", "prompt"),
  appendSystemPromptFile: one("--append-system-prompt-file", "file"),
  maxTurns: one("--max-turns", "turns"),
  maxBudgetUsd: one("--max-budget-usd", "amount"),
  maxThinkingTokens: one("--max-thinking-tokens", "tokens"),
  jsonSchema: one("--json-schema", "schema"),

  tools: many("tools", "--tools"),
  allowedTools: many("tools", "--allowedTools", "--allowed-tools"),
  disallowedTools: many("tools", "--disallowedTools", "--disallowed-tools"),
  permissionMode: one("--permission-mode", "mode", modes),
  permissionPromptTool: one("--permission-prompt-tool", "tool"),
  skipPermissions: alone("--dangerously-skip-permissions"),
  allowSkipPermissions: alone("--allow-dangerously-skip-permissions"),
  addDirs: many("directories", "--add-dir"),

  mcpConfig: many("configs", "--mcp-config"),
  strictMcpConfig: alone("--strict-mcp-config"),
  settings: one("--settings", "file-or-json"),
  settingSources: one("--setting-sources", "sources"),
  agents: one("--agents", "json-or-file"),
  agent: one("--agent", "agent"),
  disableSlashCommands: alone("--disable-slash-commands"),

  sdkUrl: one("--sdk-url", "url"),
  sdkUrlBuffer: one("--sdk-url-buffer", "lines"),
  sdkUrlAttempts: one("--sdk-url-attempts", "times"),
  sdkUrlFirstDelay: one("--sdk-url-first-delay", "ms"),
  sdkUrlMaxDelay: one("--sdk-url-max-delay", "ms"),
  sdkUrlPing: one("--sdk-url-ping", "ms"),
  sdkUrlSilence: one("--sdk-url-silence", "ms"),
  continue: alone("-c", "--continue"),
  resume: { names: ["-r", "--resume"], value: "value", takes: "optional" } as Flag,
  resumeSessionAt: one("--resume-session-at", "message id"),
  forkSession: alone("--fork-session"),
  sessionId: one("--session-id", "uuid"),
  name: { names: ["-n", "--name"], value: "name" } as Flag,
  noSessionPersistence: alone("--no-session-persistence"),
  teleport: one("--teleport", "session"),
  rewindFiles: one("--rewind-files", "user-message-id"),

  debug: { names: ["-d", "--debug"], value: "filter", takes: "optional" } as Flag,
  debugFile: one("--debug-file", "path"),
  debugToStderr: alone("--debug-to-stderr"),
  awaitInitialize: alone("--await-initialize"),
  managedSettings: one("--managed-settings", "json"),
  managedSettingsInInitialize: alone("--managed-settings-in-initialize"),
  permissionPrompts: one("--permission-prompts", "target", ["host", "none"]),
  pluginDir: one("--plugin-dir", "path"),
  pluginDirNoMcp: one("--plugin-dir-no-mcp", "path"),
  sessionMirror: alone("--session-mirror"),
  thinkingDisplay: one("--thinking-display", "display", ["summarized", "omitted", "highlights"]),
  taskBudget: one("--task-budget", "tokens"),
  channels: many("servers", "--channels"),
  resumeDropsTurn: alone("--resume-drops-turn"),
  projectConfigRoot: one("--project-config-root", "path"),
  hardFail: alone("--hard-fail"),
  thinking: one("--thinking", "mode", ["enabled", "adaptive", "disabled"]),
} satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;
