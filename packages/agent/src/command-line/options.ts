export const permissionModes = [
  "default",
  "acceptEdits",
  "plan",
  "bypassPermissions",
  "dontAsk",
  "auto",
  "manual",
] as const;
export type PermissionMode = (typeof permissionModes)[number];

export type InputFormat = "text" | "stream-json";
export type OutputFormat = "text" | "json" | "stream-json";

/** How to connect to `--sdk-url` and how often to retry; missing fields have defaults. */
export interface ReconnectOptions {
  readonly bufferSize?: number;
  readonly attempts?: number;
  readonly firstDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly pingMs?: number;
  readonly silenceMs?: number;
}

/**
 * The options from the command line. An option that was not given is missing or has its default.
 */
export interface AgentOptions {
  readonly prompt?: string;
  readonly print: boolean;
  readonly inputFormat: InputFormat;
  readonly outputFormat: OutputFormat;
  readonly verbose: boolean;
  readonly partialMessages: boolean;
  readonly replayUserMessages: boolean;
  readonly hookEvents: boolean;
  readonly forwardSubagentText: boolean;
  readonly authStatus: boolean;

  readonly model?: string;
  readonly fallbackModel?: string;
  readonly effort?: string;
  readonly betas: readonly string[];
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly maxThinkingTokens?: number;
  readonly jsonSchema?: Readonly<Record<string, unknown>>;

  /** The only tools that are available; missing: all. */
  readonly tools?: readonly string[];
  readonly allowedTools: readonly string[];
  readonly disallowedTools: readonly string[];
  readonly permissionMode?: PermissionMode;
  /** `stdio`: the host is asked for permissions. Missing: nobody can be asked. */
  readonly permissionPromptTool?: string;
  readonly skipPermissions: boolean;
  readonly allowSkipPermissions: boolean;
  readonly addDirs: readonly string[];

  /** JSON texts or files, as given. */
  readonly mcpConfig: readonly string[];
  readonly strictMcpConfig: boolean;
  /** JSON text or file. */
  readonly settings?: string;
  readonly settingSources?: readonly string[];
  readonly agents?: Readonly<Record<string, unknown>>;
  readonly agent?: string;
  readonly disableSlashCommands: boolean;

  readonly sdkUrl?: string;
  readonly reconnect: ReconnectOptions;
  readonly continue: boolean;
  readonly resume?: string;
  readonly resumeSessionAt?: string;
  readonly forkSession: boolean;
  readonly sessionId?: string;
  /** The session's title. */
  readonly name?: string;
  readonly sessionPersistence: boolean;
  readonly teleport?: string;
  readonly rewindFiles?: string;
}
