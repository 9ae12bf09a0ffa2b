/** An MCP server that the agent itself starts or calls. */
export type McpServerConfig =
  | { type?: "stdio"; command: string; args?: string[]; env?: Record<string, string> }
  | { type: "sse" | "http"; url: string; headers?: Record<string, string> };

/** Everything a run can be started with. Only the folder is needed. */
export interface Launch {
  readonly folder: string;
  /** Whose run this is: for drivers to which the agent comes by itself. */
  readonly of?: { readonly session: string; readonly run: string };
  /** The program to run. Without it the usual places are searched. */
  readonly agentPath?: string;
  /** In its place an npm package with its exact version: the runner installs it when it is first used. */
  readonly agentPackage?: string;
  /** More options for its command line, as they are, before ours. */
  readonly flags?: readonly string[];
  /** Added to the allow-listed environment, and stronger than it. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Where the allow-listed environment is read from: this process's, unless said otherwise. */
  readonly inheritFrom?: Readonly<Record<string, string | undefined>>;
  /**
   * Called when all else is known, directly before the agent is started, with the folder as it really is:
   * gives back the launch to start with. For what must be looked at as late as possible.
   */
  readonly review?: (launch: Launch, folder: string) => Launch;
  /** Start even a version that is too old for us. */
  readonly allowUnsupported?: boolean;
  /** An `IsolationProfile`; `default` unless said. Counts where the driver isolates its agents. */
  readonly isolation?: string;

  readonly model?: string;
  readonly fallbackModel?: string;
  readonly effort?: string;
  readonly maxThinkingTokens?: number;
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly systemPrompt?: string;
  readonly appendSystemPrompt?: string;
  /**
   * Use these system prompts in a conversation that was begun with others. Claude Code records the system
   * prompt in the conversation and otherwise keeps it, whatever it is started with (seen on 2.1.325).
   */
  readonly renewSystemPrompt?: boolean;
  readonly jsonSchema?: object;

  readonly permissionMode?: string;
  readonly dangerouslySkipPermissions?: boolean;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly addDirs?: readonly string[];
  /** A path to a settings file, or the settings. */
  readonly settings?: string | object;
  readonly settingSources?: readonly string[];
  /** No MCP servers but those named here. */
  readonly strictMcpConfig?: boolean;
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;

  /** Take up the newest conversation of this folder. */
  readonly continue?: boolean;
  /** Take up this conversation; `at`: cut after that message; `fork`: as a copy under a new id. */
  readonly resume?: { readonly id: string; readonly at?: string; readonly fork?: boolean };
  /** The id that a new conversation gets. */
  readonly sessionId?: string;

  /** Default true: text as it is written (`stream_event`). */
  readonly partialMessages?: boolean;
  /** Default true: prompts are printed back, which is how we know that they arrived. */
  readonly replayUserMessages?: boolean;
  /** Default true: what subagents say. */
  readonly forwardSubagentText?: boolean;
  /** Default true: what hooks of the user's settings do. */
  readonly includeHookEvents?: boolean;
  /** Default true: files are kept as they were at each message, so that they can be rewound. */
  readonly fileCheckpoints?: boolean;
}
