import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import {
  type ContentBlock,
  type DeferredCall,
  createDeferredCallMessage,
  type OutgoingMessage,
  type PermissionMode,
  type Prompt,
  type StoredMessage,
} from "@signalbox/agent";
import type { Answer } from "../model/answer.ts";
import type { LoadedFile } from "../hooks/instructions.ts";
import type { ApiBlock, Entry } from "../model/conversation.ts";
import type { Effort } from "../model/effort.ts";
import type { TurnUsage } from "../model/usage.ts";
import type { Session } from "../session.ts";
import { toolNamed } from "../tool-names.ts";
import type { Tool } from "../tool.ts";

/** The subagent that owns a thread. */
export interface ThreadAgent {
  readonly id: string;
  readonly type: string;
  readonly depth: number;
  /** The call under which its messages are sent. */
  readonly toolUseId: string;
  /** The message that contains this call. */
  readonly messageId?: string | undefined;
  readonly description: string;
  readonly inBackground: boolean;
  /** The effort, if its kind defines it. */
  readonly effort?: Effort | undefined;
  /** The permission mode, if it differs from the session's. */
  readonly permissionMode?: PermissionMode | undefined;
  /**
   * It judges for a hook: it must return a verdict, no hooks run for it, and its mode applies
   * whatever the session's is.
   */
  readonly judges?: boolean;
  /** What hosts see of it: everything, its calls and their results, or only its progress. */
  readonly visibility: "all" | "calls" | "nothing";
  /** The names of the tools that it and its subagents used. */
  readonly toolsUsed: Set<string>;
}

/** A call of the model, perhaps of a tool that it was not offered. */
interface ToolUse {
  readonly input: JsonObject;
  readonly isOffered: boolean;
  /** The activity in words for people; undefined if there is no such tool. */
  readonly doing: string | undefined;
}

/** A conversation with the model: the main one, or a subagent's. */
export class Thread {
  readonly session: Session;
  /** Aborts when the turn should end for any reason. */
  readonly signal: AbortSignal;
  /** Aborts when a person ended the turn, or nobody is connected any more. */
  readonly interruption: AbortSignal;
  readonly entries: Entry[];
  /** The fallback model for the rest of the turn, if the requested one is overloaded. */
  fallback: string | undefined;
  readonly #model: () => string;
  readonly system: readonly string[];
  /** The entries before the conversation, in the user's name. */
  readonly opening: readonly Entry[];
  /** Memory files that calls of this turn have added. */
  readonly memoryMet = new Set<string>();
  readonly memoryLoaded: LoadedFile[] = [];
  /** The id of the turn for hooks that see its texts. */
  readonly turnId = crypto.randomUUID();
  /** What hosts saw instead of the last text. */
  shownText: { readonly original: string; readonly shown: string } | undefined;
  readonly tools: () => readonly Tool[];
  readonly agent: ThreadAgent | undefined;
  readonly maxTurns: number | undefined;
  readonly usage: TurnUsage;
  /** The prompts that this turn answers. */
  readonly promptUuids: readonly string[];
  /** The prompt that represents all of them. */
  readonly promptUuid: string | undefined;
  /** What was denied. For the main thread this is the session's own list. */
  readonly denials: JsonObject[];
  /** The number of messages in the user's name since the turn began, for `num_turns`. */
  userMessages = 0;
  /** How many of them are summaries of earlier messages. */
  summaries = 0;
  /** The stream of a first answer has begun. If it broke, a second one begins it again. */
  hasBegun = false;
  /** The model was asked again and has not answered yet. */
  isRetrying = false;
  /** The size of the window after the last answer. */
  tokensInWindow: number;
  /** The answer that is being read, or was read last. */
  answering: Answer | undefined;
  firstTokens: { input: number; cacheRead: number } | undefined;
  readonly timing: { requestAt?: number; firstEventAt?: number; firstTextAt?: number } = {};
  readonly #say: (message: OutgoingMessage, storedMessage?: OutgoingMessage) => string;
  readonly #record: (message: StoredMessage) => void;
  readonly steering: () => readonly Prompt[];
  onToolUse: ((name: string, use: ToolUse) => void) | undefined;

  constructor(made: {
    session: Session;
    signal: AbortSignal;
    interruption?: AbortSignal;
    entries: Entry[];
    model: () => string;
    system: readonly string[];
    opening?: readonly Entry[];
    tools: () => readonly Tool[];
    usage: TurnUsage;
    promptUuids?: readonly string[];
    promptUuid?: string | undefined;
    tokensInWindow?: number;
    agent?: ThreadAgent;
    maxTurns?: number | undefined;
    say: (message: OutgoingMessage, storedMessage?: OutgoingMessage) => string;
    record: (message: StoredMessage) => void;
    steering?: () => readonly Prompt[];
  }) {
    this.session = made.session;
    this.signal = made.signal;
    this.interruption = made.interruption ?? made.signal;
    this.entries = made.entries;
    this.#model = made.model;
    this.system = made.system;
    this.opening = made.opening ?? [];
    this.tools = made.tools;
    this.usage = made.usage;
    this.promptUuids = made.promptUuids ?? [];
    this.promptUuid = made.promptUuid ?? this.promptUuids[0];
    this.tokensInWindow = made.tokensInWindow ?? 0;
    this.agent = made.agent;
    this.denials = made.agent ? [] : made.session.denials;
    this.maxTurns = made.maxTurns;
    this.#say = made.say;
    this.#record = made.record;
    this.steering = made.steering ?? (() => []);
  }

  /** Whether the turn ends in favor of another prompt, without being stopped by anybody. */
  get makesWay(): boolean {
    return this.signal.aborted && !this.interruption.aborted;
  }

  /** Whether the caller of this subagent does not wait for it any more. */
  get #isCutOff(): boolean {
    return this.agent?.inBackground === false && this.interruption.aborted;
  }

  model(): string {
    return this.fallback ?? this.#model();
  }

  /** Sends a line unchanged: a status, or anything without a lane. */
  say(message: OutgoingMessage, storedMessage?: OutgoingMessage): string {
    return this.#say(message, storedMessage);
  }

  /**
   * Sends a message in the user's name to the host and adds it to the conversation. `kept` contains
   * further fields for the record.
   */
  sayUser(
    content: readonly ContentBlock[],
    more: JsonObject = {},
    storedFields: JsonObject = {},
  ): void {
    this.userMessages++;
    if (this.agent?.visibility === "nothing" || this.#isCutOff) return this.takeUser(content);
    this.#keepOfSubagent({ type: "user", message: { role: "user", content } });
    const line = this.#withLane({ type: "user", message: { role: "user", content } }, more);
    const storedLine = { ...line, timestamp: new Date().toISOString() };
    const uuid = this.#say(storedLine, { ...storedLine, ...storedFields });
    this.entries.push({ role: "user", content: [...content] as ApiBlock[], uuid });
  }

  /** Adds a message in the user's name that is not sent to hosts. */
  takeUser(content: readonly ContentBlock[]): void {
    this.#keepOfSubagent({ type: "user", message: { role: "user", content } });
    this.entries.push({ role: "user", content: [...content] as ApiBlock[] });
  }

  /** Sends one block of an answer. `shown`: what hosts see instead of its text. */
  sayAssistant(message: JsonObject, block: ApiBlock, more: JsonObject, shown?: string): void {
    const entry = {
      role: "assistant" as const,
      content: [block],
      messageId: String(message["id"]),
    };
    const isCall = block.type === "tool_use";
    const asTold = this.#describeBlock(block);
    const whole = { role: "assistant", ...message, content: [asTold] };
    this.#keepOfSubagent({ type: "assistant", message: whole });
    const line = this.#withLane({ type: "assistant", message: whole }, more);
    const { visibility = "all" } = this.agent ?? {};
    if (visibility === "nothing" || (visibility === "calls" && !isCall)) {
      this.entries.push(entry);
      return;
    }
    const timestamp = new Date().toISOString();
    const content = [shown === undefined ? asTold : { ...asTold, text: shown }];
    const seen = { ...line, message: { ...whole, content }, timestamp };
    const uuid = this.#say(seen, { ...line, timestamp });
    this.entries.push({ ...entry, uuid });
  }

  /** Returns a call as hosts see it. */
  #describeBlock(block: ApiBlock): ApiBlock {
    const { name, input } = block;
    const tool = isObject(input) ? toolNamed(this.tools(), name) : undefined;
    return tool?.describeForHost
      ? { ...block, input: tool.describeForHost(input as JsonObject) }
      : block;
  }

  /** Adds something that only the model sees. */
  addModelNote(text: string): void {
    const content = [{ type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` }];
    const uuid = crypto.randomUUID();
    this.entries.push({ role: "user", content, uuid });
    this.#record({ type: "user", uuid, isMeta: true, message: { role: "user", content } });
  }

  /** Stores a deferred call for when the session is resumed. */
  keepDeferred(call: DeferredCall): void {
    this.#record(createDeferredCallMessage(call, this.session.permission.mode));
  }

  /**
   * Stores a message of a subagent. Messages of the main agent are stored when they are sent; not
   * all of a subagent's messages are sent.
   */
  #keepOfSubagent(message: StoredMessage): void {
    if (this.agent) this.#record(message);
  }

  #withLane(line: OutgoingMessage, more: JsonObject): OutgoingMessage {
    const { agent } = this;
    if (!agent) return { ...line, parent_tool_use_id: null, ...more };
    return {
      ...line,
      parent_tool_use_id: agent.toolUseId,
      agent_id: agent.id,
      ...more,
      subagent_type: agent.type,
      task_description: agent.description,
    };
  }
}
