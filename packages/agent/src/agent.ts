import type { JsonObject } from "@signalbox/protocol/wire";
import type { AgentOptions } from "./command-line/options.ts";

/**
 * What a program implements that wants to be driven like Claude Code. The kit does the rest: lines,
 * control requests, the queue of prompts, sessions on disk. Only `turn` has to be there.
 */
export interface Agent {
  /** What the host's `initialize` brought; before the first turn, or never where no host sends one. */
  initialize?(request: InitializeRequest): Promise<void>;
  /** For `initialize`'s answer, and for `system/init` before each turn. */
  describe?(): Promise<AgentDescription>;
  /** The conversation as it was stored, oldest first, before the first turn. */
  restore?(conversation: readonly StoredMessage[]): Promise<void>;
  /** Before a turn begins: what it has to wait for, if there is something. */
  waitUntilReady?(): Promise<unknown> | undefined;
  /** One turn, from prompts to result. Everything said on the way goes through `turn.say`. */
  turn(turn: Turn): Promise<TurnResult>;
  /** The end of what goes on beside turns, if something does: until then the session does not rest. */
  waitUntilIdle?(): Promise<unknown> | undefined;
  /**
   * A control request that the kit does not answer by itself. `null`: done, with nothing to say.
   * `undefined`: not known, and refused as such.
   */
  control?(request: ControlRequest, signal: AbortSignal): Promise<object | null | undefined>;
  /** A person wants an end of all this, also of what goes on beside turns; the turn's `signal` says it, too. */
  onInterrupt?(): void;
  /** How signing in to the model stands, for hosts that follow it. What changes later it says by itself. */
  authStatus?(): AuthStatus;
  /** The input is over: the end of all that still goes on, if something does. It may wake turns. */
  waitUntilSettled?(): Promise<unknown> | undefined;
  /** The input is over and so is the last turn. What it still says, and turns it wakes, are waited for. */
  close?(): Promise<void>;
}

/** How the kit makes an agent, when the command line is read and the session is known. */
export type AgentFactory = (context: AgentContext) => Agent | Promise<Agent>;

/** What an agent gets once, for its whole life. */
export interface AgentContext {
  readonly options: AgentOptions;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder it works in. */
  readonly folder: string;
  /** The person at the terminal was asked about the folder and trusts what lies in it. */
  readonly isTrusted?: boolean;
  /** This and where things are kept change when a turn starts over. */
  readonly sessionId: string;
  /** The kind of agent that led the session before. */
  readonly agent?: string;
  /** What was stored of it before; `restore` brings it, too. */
  readonly conversation: readonly StoredMessage[];
  /** What the session had cost before, as `storeCosts` got it. */
  readonly costs?: JsonObject;
  /** Keeps what the session has cost, for whoever goes on with it. */
  readonly storeCosts: (costs: JsonObject) => void;
  /** Keeps a title that nobody gave the session; one that a person gives counts more. */
  readonly storeTitle?: (title: string) => void;
  readonly host: HostCallbacks;
  readonly checkpoints: CheckpointWriter;
  /** Where this session's lines are kept, whether or not they are. */
  readonly transcriptPath: string;
  /** A transcript of its own for a subagent, beside the session's. */
  readonly subagentTranscript: (agentId: string) => SubagentTranscript;
  /** Says something outside of turns too: a background task's news, a status. */
  readonly say: (message: OutgoingMessage) => void;
  /** A sentence for whoever reads the error stream. */
  readonly report: (sentence: string) => void;
  /** Asks for a turn of the agent's own, with a prompt that no person sent. */
  readonly requestTurn: (prompt: Prompt) => void;
}

/** Where a subagent's conversation is kept. What it says with its `agent_id` is not kept elsewhere. */
export interface SubagentTranscript {
  readonly path: string;
  add(message: StoredMessage): void;
  close(): void;
}

/** A prompt as the host sent it (or the agent itself, by `wake`). */
export interface Prompt {
  readonly uuid: string;
  readonly content: string | readonly ContentBlock[];
  /** The whole line as it came, for what else it carries. */
  readonly line: JsonObject;
}

export type ContentBlock = { type: string; [field: string]: unknown };

export interface Turn {
  /** What begins the turn, as it came: usually one, several when they waited together. */
  readonly prompts: readonly Prompt[];
  /** The same as one message, as it stands in the transcript. */
  readonly prompt: Prompt;
  /** Aborted by `interrupt`, by a prompt that does not wait (`priority: "now"`), and when the host is gone. */
  readonly signal: AbortSignal;
  /** Aborted with `signal`, but not for a prompt: for what must not be left half done. */
  readonly interruption: AbortSignal;
  /** Says `system/init` with what `describe` tells now. Once a turn, at its beginning. */
  readonly sayInit: () => Promise<void>;
  /** To the host and, if it is part of the conversation, to the transcript. `uuid` and `session_id` are filled in. */
  readonly say: (message: OutgoingMessage, kept?: OutgoingMessage) => string;
  /** To the transcript alone: what the model is told and the host is not. */
  readonly record: (message: StoredMessage) => void;
  /** The prompt's echo says this in the place of what was written. */
  readonly echoAs: (content: Prompt["content"]) => void;
  /** For what is done without the model: the prompt's echo waits for the result and says this, or is none. */
  readonly echoLate: (content: string | undefined) => void;
  /** At a boundary between tools: what arrived meanwhile, once. It is acknowledged as begun. */
  readonly steering: () => readonly Prompt[];
  /**
   * From now on this is a session of its own, with an id, a transcript and checkpoints of its own;
   * the one before stays as it is, under the title that is given for it. What `AgentContext` says of the
   * session is about the new one.
   */
  readonly startOver: (titleOfOld?: string) => void;
  /** Gives the session a title, by which it can be found again. Hosts are told. */
  readonly rename: (title: string) => void;
}

/** A message without what the kit fills in. A `uuid` that is given stays. */
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

/** What a `result` line says beyond ids, prompts and the clock, which the kit knows. */
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

/** `initialize` as hosts send it; what is not named rides along. */
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

/** By event: which callbacks the host wants to be asked, for what matches. */
export type HostHooks = Readonly<Record<string, readonly HostHookMatcher[]>>;
export interface HostHookMatcher {
  readonly matcher?: string | null;
  readonly hookCallbackIds: readonly string[];
  /** Seconds. */
  readonly timeout?: number;
  /** `block`: one that fails stops what it judges. */
  readonly onFailure?: unknown;
}

/** `auth_status`, as it goes over the wire. */
export interface AuthStatus {
  readonly isAuthenticating: boolean;
  /** What was printed on the way. */
  readonly output: readonly string[];
  readonly error?: string;
}

export type ControlRequest = { subtype: string; [field: string]: unknown };

/** Fields of `initialize`'s answer and of `system/init`. The kit adds ids, folder and what follows from the options. */
export interface AgentDescription {
  readonly initialize?: JsonObject;
  /** Asked when a turn begins. */
  readonly init?: () => Promise<JsonObject>;
}

/** What an agent may ask of its host. Nothing here rejects: a failure is an answer, too. */
export interface HostCallbacks {
  /** Whether permissions are asked of the host (`--permission-prompt-tool stdio`). */
  readonly asksPermission: boolean;
  /**
   * Deny on failure, with the reason. `interrupt` asks for the turn's end. `taken` sees the answer
   * before the host is told that work goes on: what the answer changes is said there.
   */
  askPermission(
    request: PermissionRequest,
    signal?: AbortSignal,
    taken?: (answer: PermissionAnswer) => void,
  ): Promise<PermissionAnswer>;
  /**
   * `{}` if it answers with an error or in a shape we do not know: `onFailure` is told. Rejects when
   * it takes longer than `timeoutMs`, or the host leaves: what waits for its verdict must not go on.
   */
  hook(callbackId: string, input: JsonObject, options?: HookCallOptions): Promise<JsonObject>;
  /** One JSON-RPC message to an MCP server inside the host; its answer. This one rejects: MCP has errors of its own. */
  mcpMessage(serverName: string, message: JsonObject): Promise<unknown>;
  /** A person is asked what an MCP server wants to know. `cancel` where nobody answers. */
  elicit(request: JsonObject, signal?: AbortSignal): Promise<ElicitationResult>;
  /** Any other request; rejects with what the host said. */
  ask(request: ControlRequest, signal?: AbortSignal): Promise<unknown>;
}

/** What a person answered to an MCP server's question. */
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

/** `can_use_tool`, as it goes over the wire without its subtype. */
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
      /** Nobody decided: the question failed. */
      failed?: boolean;
      [field: string]: unknown;
    };

/** Files as they were before a prompt's edits. */
export interface CheckpointWriter {
  /** Before a tool changes a file, for the first time since the prompt. */
  beforeEdit(path: string): Promise<void>;
}
