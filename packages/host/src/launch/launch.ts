/** An MCP server that the agent itself starts or calls. */
export type McpServerConfig =
  | { type?: "stdio"; command: string; args?: string[]; env?: Record<string, string> }
  | { type: "sse" | "http"; url: string; headers?: Record<string, string> };

/** Everything that a run can be started with. Only the folder is required. */
export interface Launch {
  readonly folder: string;
  /** The session and the run that this launch is for. Drivers whose agents connect by themselves need them. */
  readonly runRef?: { readonly session: string; readonly run: string };
  /** The program to run. Without it the usual places are searched. */
  readonly agentPath?: string;
  /**
   * Instead of a program, an npm package with its exact version: the runner installs it on first
   * use.
   */
  readonly agentPackage?: string;
  /** Additional command-line options, passed unchanged before ours. */
  readonly flags?: readonly string[];
  /** Added to the allow-listed environment, which it overrides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The source of the allow-listed environment; this process's by default. */
  readonly inheritFrom?: Readonly<Record<string, string | undefined>>;
  /**
   * Called directly before the agent is started, when everything else is known, with the real path
   * of the folder. Returns the launch to start with; used for checks that must happen as late as
   * possible.
   */
  readonly review?: (launch: Launch, folder: string) => Launch;
  /** Starts even a version that is too old for us. */
  readonly allowUnsupported?: boolean;
  /**
   * An `IsolationProfile`, `default` if undefined. Has an effect if the driver isolates its agents.
   */
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
   * Replaces the system prompts of a conversation that was started with others. Claude Code records
   * the system prompt in the conversation and otherwise keeps it, whatever it is started with (seen
   * on 2.1.325).
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
  /** Use only the MCP servers of this launch. */
  readonly strictMcpConfig?: boolean;
  readonly mcpServers?: Readonly<Record<string, McpServerConfig>>;

  /** Resume the newest conversation of this folder. */
  readonly continue?: boolean;
  /** Resume this conversation; `at`: cut after that message; `fork`: as a copy with a new id. */
  readonly resume?: { readonly id: string; readonly at?: string; readonly fork?: boolean };
  /** The id that a new conversation gets. */
  readonly sessionId?: string;

  /** True by default: text as it is written (`stream_event`). */
  readonly partialMessages?: boolean;
  /** True by default: prompts are echoed, which confirms that they arrived. */
  readonly replayUserMessages?: boolean;
  /** True by default: messages of subagents. */
  readonly forwardSubagentText?: boolean;
  /** True by default: events of hooks in the user's settings. */
  readonly includeHookEvents?: boolean;
  /** True by default: files are saved at each message, so that they can be rewound. */
  readonly fileCheckpoints?: boolean;
}
