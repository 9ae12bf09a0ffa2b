import type { JsonObject } from "@signalbox/protocol/wire";
import type { AgentOptions } from "./command-line/options.ts";

/**
 * The interface that a program implements to be driven like Claude Code. The kit does the rest:
 * lines, control requests, the queue of prompts, sessions on disk. Only `turn` is required.
 */
export interface Agent {
  /** Receives the host's `initialize` before the first turn, or never if the host sends none. */
  initialize?(request: InitializeRequest): Promise<void>;
  /** Describes the agent, for the answer to `initialize` and for `system/init` before each turn. */
  describe?(): Promise<AgentDescription>;
  /** Receives the stored conversation, oldest message first, before the first turn. */
  restore?(conversation: readonly StoredMessage[]): Promise<void>;
  /** Resolves when the agent is ready for a turn, if it has to wait for something. */
  waitUntilReady?(): Promise<unknown> | undefined;
  /**
   * Runs one turn, from its prompts to its result. Messages on the way are sent with `turn.say`.
   */
  turn(turn: Turn): Promise<TurnResult>;
  /**
   * Resolves when the work beside turns has ended, if there is any. The session is not idle until
   * then.
   */
  waitUntilIdle?(): Promise<unknown> | undefined;
  /**
   * Answers a control request that the kit does not answer itself. `null`: done, with an empty
   * answer. `undefined`: unknown, so the kit refuses it.
   */
  control?(request: ControlRequest, signal: AbortSignal): Promise<object | null | undefined>;
  /**
   * Called when a person wants everything to stop, including work beside turns. The `signal` of the
   * turn aborts, too.
   */
  onInterrupt?(): void;
  /**
   * Returns the state of signing in to the model, for hosts that follow it. The agent reports later
   * changes itself.
   */
  authStatus?(): AuthStatus;
  /**
   * Called when the input has ended. Resolves when all remaining work has ended, if there is any.
   * That work may start turns.
   */
  waitUntilSettled?(): Promise<unknown> | undefined;
  /**
   * Called when the input and the last turn have ended. The kit waits for the remaining messages,
   * and for turns that they start.
   */
  close?(): Promise<void>;
}

/** Creates an agent, after the kit has read the command line and opened the session. */
export type AgentFactory = (context: AgentContext) => Agent | Promise<Agent>;

/** What an agent gets once, for its whole life. */
export interface AgentContext {
  readonly options: AgentOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The working folder. */
  readonly folder: string;
  /** The person at the terminal was asked about the folder and trusts its contents. */
  readonly isTrusted?: boolean;
  /** The session's id. It and the paths change when a turn starts a new session. */
  readonly sessionId: string;
  /** The kind of agent that ran the session before. */
  readonly agent?: string;
  /** The conversation that was stored before; `restore` receives it, too. */
  readonly conversation: readonly StoredMessage[];
  /** The cost of the session so far, as it was passed to `storeCosts`. */
  readonly costs?: JsonObject;
  /** Stores the cost of the session, for whoever resumes it. */
  readonly storeCosts: (costs: JsonObject) => void;
  /** Stores a title that no person gave the session. A title given by a person takes precedence. */
  readonly storeTitle?: (title: string) => void;
  readonly host: HostCallbacks;
  readonly checkpoints: CheckpointWriter;
  /** The path of the session's transcript, whether or not lines are stored. */
  readonly transcriptPath: string;
  /** Creates a separate transcript for a subagent, beside the session's. */
  readonly subagentTranscript: (agentId: string) => SubagentTranscript;
  /** Sends a message, also outside of turns: news of a background task, a status. */
  readonly say: (message: OutgoingMessage) => void;
  /** Writes a sentence to the error stream. */
  readonly report: (sentence: string) => void;
  /** Requests a turn of the agent's own, with a prompt that no person sent. */
  readonly requestTurn: (prompt: Prompt) => void;
}

/** The transcript of a subagent. Messages with its `agent_id` are stored nowhere else. */
export interface SubagentTranscript {
  readonly path: string;
  add(message: StoredMessage): void;
  close(): void;
}

/** A prompt as the host sent it, or as the agent passed it to `requestTurn`. */
export interface Prompt {
  readonly uuid: string;
  readonly content: string | readonly ContentBlock[];
  /** The whole line as it came, with all its other fields. */
  readonly line: JsonObject;
}

export type ContentBlock = { type: string; [field: string]: unknown };

export interface Turn {
  /** The prompts that start the turn: usually one, or several that waited together. */
  readonly prompts: readonly Prompt[];
  /** The prompts as one message, as the transcript has it. */
  readonly prompt: Prompt;
  /**
   * Aborts on `interrupt`, on a prompt that does not wait (`priority: "now"`), and when the host
   * disconnects.
   */
  readonly signal: AbortSignal;
  /**
   * Aborts like `signal`, but not because of a prompt: for work that must not be left half done.
   */
  readonly interruption: AbortSignal;
  /**
   * Sends `system/init` with the current result of `describe`. Call it once, at the beginning of
   * the turn.
   */
  readonly sayInit: () => Promise<void>;
  /**
   * Sends a message to the host and, if it is part of the conversation, to the transcript. The kit
   * adds `uuid` and `session_id`.
   */
  readonly say: (message: OutgoingMessage, storedMessage?: OutgoingMessage) => string;
  /** Writes to the transcript only: what the model is told and the host is not. */
  readonly record: (message: StoredMessage) => void;
  /** Replaces the text in the prompt's echo. */
  readonly echoAs: (content: Prompt["content"]) => void;
  /**
   * For work without the model: the prompt's echo waits for the result and has this text, or is
   * omitted.
   */
  readonly echoLate: (content: string | undefined) => void;
  /**
   * Takes the prompts that arrived meanwhile, at a boundary between tools. They are reported to the
   * host as started.
   */
  readonly steering: () => readonly Prompt[];
  /**
   * Starts a new session with its own id, transcript and checkpoints. The previous session stays
   * unchanged, under the given title. The session fields of `AgentContext` then describe the new
   * one.
   */
  readonly startOver: (titleOfOld?: string) => void;
  /** Gives the session a title by which it can be found again. Hosts are told. */
  readonly rename: (title: string) => void;
}

/** A message without the fields that the kit fills in. A given `uuid` is kept. */
export type OutgoingMessage = { type: string; [field: string]: unknown };

/** A line of the transcript that is part of the conversation. */
export interface StoredMessage {
  readonly type: "user" | "assistant" | "system" | "attachment";
  readonly uuid?: string;
  readonly message?: {
    role: string;
    content: string | readonly ContentBlock[];
    [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

export type ResultSubtype =
  | "success"
  | "error_during_execution"
  | "error_max_turns"
  | "error_max_budget_usd"
  | "error_max_structured_output_retries";

/** The fields of a `result` line except ids, prompts and durations, which the kit knows. */
export interface TurnResult {
  readonly subtype: ResultSubtype;
  readonly is_error: boolean;
  readonly num_turns: number;
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly stop_reason?: string | null;
  readonly terminal_reason?: string;
  readonly total_cost_usd?: number;
  readonly duration_api_ms?: number;
  readonly usage?: object;
  readonly modelUsage?: object;
  readonly permission_denials?: readonly object[];
  readonly structured_output?: unknown;
  readonly [field: string]: unknown;
}

/** `initialize` as hosts send it. Fields that are not declared are kept. */
export interface InitializeRequest {
  readonly subtype: "initialize";
  readonly hooks?: HostHooks | null;
  readonly sdkMcpServers?: readonly string[];
  readonly sdkMcpServerManifests?: Readonly<Record<string, JsonObject>>;
  readonly jsonSchema?: JsonObject;
  readonly systemPrompt?: string | readonly string[];
  readonly appendSystemPrompt?: string;
  readonly agents?: Readonly<Record<string, JsonObject>>;
  readonly forwardSubagentText?: boolean;
  readonly [field: string]: unknown;
}

/** The callbacks that the host wants to be called, by event, with matchers. */
export type HostHooks = Readonly<Record<string, readonly HostHookMatcher[]>>;
export interface HostHookMatcher {
  readonly matcher?: string | null;
  readonly hookCallbackIds: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
  /** `block`: if the hook fails, the action that it checks is stopped. */
  readonly onFailure?: unknown;
}

/** `auth_status`, as on the wire. */
export interface AuthStatus {
  readonly isAuthenticating: boolean;
  /** The output of signing in. */
  readonly output: readonly string[];
  readonly error?: string;
}

export type ControlRequest = { subtype: string; [field: string]: unknown };

/**
 * Fields of the answer to `initialize` and of `system/init`. The kit adds the ids, the folder and
 * the fields that follow from the options.
 */
export interface AgentDescription {
  readonly initialize?: JsonObject;
  /** Read when a turn begins. */
  readonly init?: () => Promise<JsonObject>;
}

/**
 * What an agent may ask of its host. A failure is returned as an answer, so most of these never
 * reject.
 */
export interface HostCallbacks {
  /** Whether the host is asked for permissions (`--permission-prompt-tool stdio`). */
  readonly asksPermission: boolean;
  /**
   * On failure the answer is a denial with the reason. `interrupt` requests the end of the turn.
   * `taken` receives the answer before the host is told that work continues, so that the effects of
   * the answer are reported first.
   */
  askPermission(
    request: PermissionRequest,
    signal?: AbortSignal,
    taken?: (answer: PermissionAnswer) => void,
  ): Promise<PermissionAnswer>;
  /**
   * Calls a hook. Resolves to `{}` if the host answers with an error or in an unknown shape, and
   * calls `onFailure`. Rejects after `timeoutMs` or when the host disconnects: an action that waits
   * for the hook must not continue.
   */
  hook(callbackId: string, input: JsonObject, options?: HookCallOptions): Promise<JsonObject>;
  /**
   * Sends one JSON-RPC message to an MCP server inside the host and resolves to its answer. Rejects
   * on failure, because MCP has errors of its own.
   */
  mcpMessage(serverName: string, message: JsonObject): Promise<unknown>;
  /** Asks a person what an MCP server wants to know. The answer is `cancel` if nobody answers. */
  elicit(request: JsonObject, signal?: AbortSignal): Promise<ElicitationResult>;
  /** Sends any other request. Rejects with the host's error. */
  ask(request: ControlRequest, signal?: AbortSignal): Promise<unknown>;
}

/** A person's answer to an MCP server's question. */
export interface ElicitationResult {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: JsonObject;
}

export interface HookCallOptions {
  readonly toolUseId?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly onFailure?: () => void;
}

/** `can_use_tool` as on the wire, without its subtype. */
export interface PermissionRequest {
  readonly tool_name: string;
  readonly input: JsonObject;
  readonly tool_use_id: string;
  readonly permission_suggestions?: readonly JsonObject[];
  readonly blocked_path?: string;
  readonly decision_reason?: string;
  readonly agent_id?: string;
  readonly [field: string]: unknown;
}

export type PermissionAnswer =
  | {
      behavior: "allow";
      updatedInput?: JsonObject;
      updatedPermissions?: readonly JsonObject[];
      [field: string]: unknown;
    }
  | {
      behavior: "deny";
      message: string;
      interrupt?: boolean;
      /** Nobody decided, because asking failed. */
      failed?: boolean;
      [field: string]: unknown;
    };

/** Stores files as they were before the edits of a prompt. */
export interface CheckpointWriter {
  /** Call it before a tool changes a file for the first time since the prompt. */
  beforeEdit(path: string): Promise<void>;
}
