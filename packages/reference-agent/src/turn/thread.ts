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

/** Whom a thread belongs to, when it is a subagent's. */
export interface ThreadAgent {
  readonly id: string;
  readonly type: string;
  readonly depth: number;
  /** The call under which it speaks. */
  readonly toolUseId: string;
  /** The message that has this call. */
  readonly messageId?: string | undefined;
  readonly description: string;
  readonly inBackground: boolean;
  /** How hard it is to think, where its kind says so. */
  readonly effort?: Effort | undefined;
  /** The mode it works in, where that is not the session's. */
  readonly permissionMode?: PermissionMode | undefined;
  /** It judges for a hook: it has to hand over a verdict, no hook runs for it, and its mode holds
   * whatever the session's is. */
  readonly judges?: boolean;
  /** What hosts see of it: everything, its calls and their results, or nothing but its progress. */
  readonly told: "all" | "calls" | "nothing";
  /** Names of the tools that it used, and that those it sent used. */
  readonly toolsUsed: Set<string>;
}

/** A call that the model makes, perhaps of a tool that it was not offered. */
interface ToolUse {
  readonly input: JsonObject;
  readonly isOffered: boolean;
  /** In words for people; nothing: there is no such tool. */
  readonly doing: string | undefined;
}

/** One line of conversation with the model: the main one, or a subagent's. */
export class Thread {
  readonly session: Session;
  /** Aborted when the turn is to end, whatever for. */
  readonly signal: AbortSignal;
  /** Aborted when a person ended it, or nobody is there any more. */
  readonly interruption: AbortSignal;
  readonly entries: Entry[];
  /** Another model for the rest of the turn: the one that was asked for is overloaded. */
  fallback: string | undefined;
  readonly #model: () => string;
  readonly system: readonly string[];
  /** What stands before the conversation, in the user's name. */
  readonly opening: readonly Entry[];
  /** Files that people wrote for the agent and that a call of this turn has brought up. */
  readonly memoryMet = new Set<string>();
  readonly memoryLoaded: LoadedFile[] = [];
  /** As hooks that see its texts name the turn. */
  readonly turnId = crypto.randomUUID();
  /** What hosts saw in place of the last text. */
  shownText: { readonly said: string; readonly shown: string } | undefined;
  readonly tools: () => readonly Tool[];
  readonly agent: ThreadAgent | undefined;
  readonly maxTurns: number | undefined;
  readonly usage: TurnUsage;
  /** The prompts that this turn answers. */
  readonly promptUuids: readonly string[];
  /** The one of them that stands for all. */
  readonly promptUuid: string | undefined;
  /** What was denied: the session's own list, where the thread is its main one. */
  readonly denials: JsonObject[];
  /** Messages in the user's name since the turn began: `num_turns` counts them. */
  userMessages = 0;
  /** Those of them that only stand for what went before. */
  summaries = 0;
  /** The stream of a first answer has begun: a second begins it anew when that one broke. */
  hasBegun = false;
  /** The model was asked again, and has not answered yet. */
  isRetrying = false;
  /** What the window held after the last answer. */
  tokensInWindow: number;
  /** The answer that is being read, or was read last. */
  answering: Answer | undefined;
  firstTokens: { input: number; cacheRead: number } | undefined;
  readonly timing: { requestAt?: number; firstEventAt?: number; firstTextAt?: number } = {};
  readonly #say: (message: OutgoingMessage, kept?: OutgoingMessage) => string;
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
    say: (message: OutgoingMessage, kept?: OutgoingMessage) => string;
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

  /** It ends because something else goes first; nobody stopped it. */
  get makesWay(): boolean {
    return this.signal.aborted && !this.interruption.aborted;
  }

  /** Whoever waited for this subagent does so no more. */
  get #isCutOff(): boolean {
    return this.agent?.inBackground === false && this.interruption.aborted;
  }

  model(): string {
    return this.fallback ?? this.#model();
  }

  /** Says a line as it stands: statuses, and whatever has no lane. */
  say(message: OutgoingMessage, kept?: OutgoingMessage): string {
    return this.#say(message, kept);
  }

  /** A message in the user's name: part of the conversation and told to the host. `kept`: what its
   * record says besides. */
  sayUser(content: readonly ContentBlock[], more: JsonObject = {}, kept: JsonObject = {}): void {
    this.userMessages++;
    if (this.agent?.told === "nothing" || this.#isCutOff) return this.takeUser(content);
    this.#keepOfSubagent({ type: "user", message: { role: "user", content } });
    const line = this.#inLane({ type: "user", message: { role: "user", content } }, more);
    const told = { ...line, timestamp: new Date().toISOString() };
    const uuid = this.#say(told, { ...told, ...kept });
    this.entries.push({ role: "user", content: [...content] as ApiBlock[], uuid });
  }

  /** A message in the user's name that hosts are not told. */
  takeUser(content: readonly ContentBlock[]): void {
    this.#keepOfSubagent({ type: "user", message: { role: "user", content } });
    this.entries.push({ role: "user", content: [...content] as ApiBlock[] });
  }

  /** One block of an answer. `shown`: what hosts see in place of its text. */
  sayAssistant(message: JsonObject, block: ApiBlock, more: JsonObject, shown?: string): void {
    const entry = {
      role: "assistant" as const,
      content: [block],
      messageId: String(message["id"]),
    };
    const isCall = block.type === "tool_use";
    const asTold = this.#told(block);
    const whole = { role: "assistant", ...message, content: [asTold] };
    this.#keepOfSubagent({ type: "assistant", message: whole });
    const line = this.#inLane({ type: "assistant", message: whole }, more);
    const { told = "all" } = this.agent ?? {};
    if (told === "nothing" || (told === "calls" && !isCall)) {
      this.entries.push(entry);
      return;
    }
    const timestamp = new Date().toISOString();
    const content = [shown === undefined ? asTold : { ...asTold, text: shown }];
    const seen = { ...line, message: { ...whole, content }, timestamp };
    const uuid = this.#say(seen, { ...line, timestamp });
    this.entries.push({ ...entry, uuid });
  }

  /** A call as hosts see it. */
  #told(block: ApiBlock): ApiBlock {
    const { name, input } = block;
    const tool = isObject(input) ? toolNamed(this.tools(), name) : undefined;
    return tool?.told ? { ...block, input: tool.told(input as JsonObject) } : block;
  }

  /** Something for the model alone. */
  whisper(text: string): void {
    const content = [{ type: "text", text: `<system-reminder>\n${text}\n</system-reminder>` }];
    const uuid = crypto.randomUUID();
    this.entries.push({ role: "user", content, uuid });
    this.#record({ type: "user", uuid, isMeta: true, message: { role: "user", content } });
  }

  /** For whoever goes on with the session. */
  keepDeferred(call: DeferredCall): void {
    this.#record(createDeferredCallMessage(call, this.session.permission.mode));
  }

  /** What the main agent says is kept by whoever passes it on; of a subagent not all is passed on. */
  #keepOfSubagent(message: StoredMessage): void {
    if (this.agent) this.#record(message);
  }

  #inLane(line: OutgoingMessage, more: JsonObject): OutgoingMessage {
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
