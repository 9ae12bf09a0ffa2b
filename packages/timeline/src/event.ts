import type { PromptContext } from "@signalbox/protocol/wire";
import type { ToolPayload } from "./tools/index.ts";

/** The main thread. The lane of a subagent is the id of the tool call it runs under. */
export const MAIN = "main";
export type Lane = string;

/** A block of a message. */
export interface BlockRef {
  readonly lane: Lane;
  readonly messageId: string;
  readonly index: number;
  /** A stable key of a block, which is also the id of the item made of it. */
  readonly block: string;
}

export function blockRef(lane: Lane, messageId: string, index: number): BlockRef {
  const block = `${lane === MAIN ? "" : `${escapeSeparator(lane)}/`}${escapeSeparator(messageId)}/${index}`;
  return { lane, messageId, index, block };
}

/** A name must not contain the character that separates names. */
function escapeSeparator(name: string): string {
  return /[/%]/.test(name) ? name.replaceAll("%", "%25").replaceAll("/", "%2F") : name;
}

export type BlockKind = "text" | "thinking" | "tool" | "other";
export type ToolStatus = "preparing" | "running" | "complete" | "error" | "denied" | "interrupted";
export type TurnOutcome = "success" | "error" | "interrupted" | "crashed";

/** From what it is known what an agent in a terminal does. */
export type ActivitySource = "hooks" | "transcript" | "screen";

export type Activity =
  | "starting"
  | "active"
  | "asking"
  | "compacting"
  | "background"
  | "idle"
  | "parked"
  | "ended";

interface Command {
  readonly name: string;
  readonly description?: string;
}

export interface ContextUse {
  readonly used: number;
  readonly window: number;
  readonly remaining: number;
  /** How much of the window is used, in percent. */
  readonly efficiency: number;
}

export interface ContentPart {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Everything that can happen in a session. */
export type TimelineEvent =
  // the session
  | {
      readonly type: "session-started";
      readonly status: "new" | "resumed" | "forked";
      readonly sessionId: string;
      readonly model?: string;
      readonly mode?: string;
      readonly version?: string;
      readonly cwd?: string;
      readonly tools: readonly string[];
      readonly mcpServers: readonly object[];
    }
  | { readonly type: "commands-available"; readonly commands: readonly Command[] }
  | { readonly type: "activity-changed"; readonly activity: Activity }
  | {
      readonly type: "session-state-changed";
      readonly state: string;
      /** From what a driver knows it; undefined: the agent says it itself. */
      readonly source?: ActivitySource;
    }
  | { readonly type: "model-changed"; readonly model: string }
  | { readonly type: "mode-changed"; readonly mode: string }
  | { readonly type: "folder-changed"; readonly cwd: string }
  | {
      readonly type: "run-started";
      readonly run: string;
      readonly status: "new" | "resumed" | "forked";
      readonly driver: string;
      readonly policy: string;
      readonly version: string;
      readonly model?: string;
      /** Options that this version of the agent does not know, and why each was not sent. */
      readonly leftOut: readonly { readonly option: string; readonly why: string }[];
    }
  | {
      readonly type: "run-ended";
      readonly status: "ended" | "parked" | "crashed";
      readonly sentence?: string;
      /**
       * The exit code or the signal with which the agent's process left, if somebody observed it.
       */
      readonly exitCode?: number;
      readonly signal?: string;
      readonly stderr?: string;
      /** The run's end also ended a turn, and that event carries the sentence. */
      readonly told: boolean;
    }
  // turns
  | { readonly type: "turn-started"; readonly turn: number; readonly cause: "prompt" | "agent" }
  | {
      readonly type: "turn-ended";
      readonly turn: number;
      readonly status: TurnOutcome;
      readonly error?: string;
      /** How the agent's process left, if it ended this turn by leaving. */
      readonly exitCode?: number;
      readonly signal?: string;
      readonly text?: string;
      /** What started the turn, if the agent says so: `task-notification`. */
      readonly origin?: string;
      /** The cost of this turn alone. */
      readonly costUsd?: number;
      readonly durationMs?: number;
      readonly modelTurns?: number;
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      /** Tokens read from the cache and written to it. */
      readonly cacheTokens?: number;
      /** The last message from which a resume is safe. */
      readonly lastUuid?: string;
    }
  | { readonly type: "turn-failed"; readonly turn: number; readonly error: string }
  // what the person says
  | {
      readonly type: "user-said";
      readonly uuid: string;
      readonly lane: Lane;
      readonly content: string | readonly ContentPart[];
      readonly context?: PromptContext;
      readonly origin: "person" | "agent";
    }
  | { readonly type: "user-replayed"; readonly uuid: string }
  | { readonly type: "command-moved"; readonly uuid: string; readonly state: string }
  // what the agent says
  | {
      readonly type: "message-started";
      readonly lane: Lane;
      readonly messageId: string;
      readonly model?: string;
    }
  | ({
      readonly type: "block-started";
      readonly kind: BlockKind;
      readonly callId?: string;
      readonly name?: string;
    } & BlockRef)
  | ({ readonly type: "block-grew"; readonly text: string } & BlockRef)
  | ({
      readonly type: "block-settled";
      readonly kind: BlockKind;
      readonly text: string;
      readonly uuid?: string;
      readonly content?: ContentPart;
    } & BlockRef)
  | ({ readonly type: "block-ended" } & BlockRef)
  /** A subagent or its turn ended in the middle of this block. */
  | ({ readonly type: "block-cut" } & BlockRef)
  | {
      readonly type: "message-ended";
      readonly lane: Lane;
      readonly messageId: string;
      readonly stopReason?: string;
    }
  | { readonly type: "message-repeated"; readonly uuid: string }
  /** The next event has a uuid that was used before for another message. */
  | { readonly type: "uuid-reused"; readonly uuid: string }
  // tools
  | ({
      readonly type: "tool-called";
      readonly callId: string;
      readonly name: string;
      readonly title: string;
      readonly payload: ToolPayload;
      readonly uuid?: string;
    } & BlockRef)
  | {
      readonly type: "tool-updated";
      readonly callId: string;
      readonly lane: Lane;
      readonly status: ToolStatus;
      readonly payload: ToolPayload;
      /** Present when the result, or an edited input, contains more than the call did. */
      readonly title?: string;
      /** The call was settled without its result, which may still come. */
      readonly missed?: true;
    }
  /**
   * The call ran without the request it needed, or with another input than the one that is shown.
   */
  | {
      readonly type: "tool-marked";
      readonly callId: string;
      readonly how: "unasked" | "changed";
      readonly text: string;
      readonly ran?: string;
    }
  | { readonly type: "tool-progressed"; readonly callId: string; readonly elapsedSeconds: number }
  | {
      readonly type: "tool-summed-up";
      readonly callIds: readonly string[];
      readonly summary: string;
    }
  // asks
  | {
      readonly type: "permission-asked";
      readonly requestId: string;
      readonly kind: "permission" | "question" | "plan" | "elicitation" | "dialog";
      readonly lane: Lane;
      readonly tool?: string;
      readonly callId?: string;
      readonly agentId?: string;
      readonly title: string;
      readonly description?: string;
      readonly blockedPath?: string;
      readonly input: unknown;
      readonly suggestions: readonly unknown[];
      readonly reason?: string;
    }
  | {
      readonly type: "permission-answered";
      readonly requestId: string;
      readonly behavior: string;
      readonly message?: string;
      /** The person also asked for the turn to stop. */
      readonly interrupt?: true;
      /** The input as the person edited it, with the answers to a question. */
      readonly input?: unknown;
      /** Rules that were granted permanently, and modes that were set with the answer. */
      readonly granted?: readonly unknown[];
      /** The name of the device that answered. */
      readonly by?: string;
    }
  | {
      readonly type: "permission-cancelled";
      readonly requestId: string;
      /** Nobody answered in time, and the agent got a refusal. */
      readonly expired?: true;
      readonly message?: string;
    }
  | {
      readonly type: "permission-denied";
      readonly tool: string;
      readonly callId?: string;
      readonly message: string;
    }
  // figures
  | ({ readonly type: "context-changed" } & ContextUse)
  /** The conversation was compacted, and the agent has not reported how much is left of it. */
  | { readonly type: "context-forgotten" }
  | {
      readonly type: "rate-limited";
      readonly status: string;
      readonly message: string;
      readonly info?: unknown;
    }
  // what goes on around
  | { readonly type: "compaction-started" }
  | {
      readonly type: "compaction-ended";
      readonly trigger?: string;
      readonly tokensBefore?: number;
      readonly tokensAfter?: number;
      readonly error?: string;
    }
  | { readonly type: "status-changed"; readonly status: string | null }
  | {
      readonly type: "retry-scheduled";
      readonly attempt?: number;
      readonly maxRetries?: number;
      readonly delayMs?: number;
      readonly status?: number;
      readonly error?: string;
    }
  | {
      readonly type: "model-refused";
      readonly model: string;
      readonly fallback?: string;
      readonly message: string;
    }
  | {
      readonly type: "hook-moved";
      readonly state: "started" | "progress" | "ended";
      readonly hookId?: string;
      readonly name: string;
      readonly event: string;
      readonly output?: string;
      readonly outcome?: string;
      readonly exitCode?: number;
    }
  | {
      readonly type: "task-moved";
      readonly state: "started" | "progress" | "updated" | "notified";
      readonly taskId: string;
      readonly runId?: string;
      readonly callId?: string;
      readonly lane: Lane;
      /** The call waits for the task, so the call shows everything there is to see. */
      readonly foreground: boolean;
      readonly description?: string;
      readonly status?: string;
      /** What the task is doing now. */
      readonly progress?: string;
      readonly summary?: string;
      readonly outputFile?: string;
      readonly tokens?: number;
      readonly toolUses?: number;
      readonly durationMs?: number;
    }
  | {
      readonly type: "tasks-changed";
      readonly tasks: readonly {
        readonly taskId: string;
        readonly description?: string;
        readonly kind?: string;
      }[];
    }
  | {
      readonly type: "files-persisted";
      readonly files: readonly string[];
      readonly failed: readonly string[];
    }
  | {
      readonly type: "auth-changed";
      readonly authenticating: boolean;
      readonly error?: string;
      readonly output: readonly string[];
    }
  | {
      readonly type: "plugin-moved";
      readonly status: string;
      readonly name?: string;
      readonly error?: string;
    }
  | { readonly type: "mcp-changed"; readonly servers: readonly object[] }
  | { readonly type: "prompt-suggested"; readonly suggestion: string }
  | { readonly type: "command-printed"; readonly text: string }
  | {
      readonly type: "notice";
      readonly level: string;
      readonly text: string;
      /** The message after which the conversation goes on; null if there is none. */
      readonly rewoundTo?: string | null;
    }
  /** Claude Code or a person has named the session. */
  | { readonly type: "session-titled"; readonly title: string }
  | { readonly type: "thinking-estimated"; readonly tokens: number }
  | { readonly type: "conversation-reset"; readonly conversationId?: string }
  | { readonly type: "context-compacted-summary"; readonly uuid: string; readonly text: string }
  // the wire itself
  | {
      readonly type: "control-passed";
      readonly from: "agent" | "host" | "keeper";
      readonly what: string;
      readonly requestId?: string;
    }
  | {
      readonly type: "opaque-received";
      readonly kind: "unknown" | "drifted" | "noise";
      readonly name: string;
      readonly why?: string;
      readonly raw: string;
    };
