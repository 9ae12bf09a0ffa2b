import type { Decoded } from "@signalbox/protocol";
import { type Activity, type BlockKind, type Lane, MAIN } from "../event.ts";
import type { ToolPayload } from "../tools/index.ts";
import { type RecentIds, createRecentIds } from "../recent-ids.ts";
import { RECENT_PAGES } from "./recent-messages.ts";

/** A line of the log, and who wrote it. */
export interface LogLine {
  /** When it was read, in milliseconds, if the log has the time. */
  readonly at?: number;
  /**
   * `keeper` stands for the runner or hub that writes the log; its lines are the `logMarkers` of
   * the protocol.
   */
  readonly from: "agent" | "host" | "keeper";
  readonly line: Decoded;
}

export interface OpenBlock {
  readonly kind: BlockKind;
  readonly callId?: string;
  readonly settled: boolean;
  /** The key is computed once, because a block grows thousands of times. */
  readonly id: string;
  /** A digest of its text, once it is settled. */
  readonly words?: TextDigest;
}

/** A digest of a text, by which the text is recognized, also as the beginning of another. */
export interface TextDigest {
  readonly length: number;
  readonly head: string;
  readonly tail: string;
}

/** The message that is being written in a lane. */
export interface OpenMessage {
  readonly lane: Lane;
  readonly messageId: string;
  /** The message was shown before and is only printed again. */
  readonly repeated: boolean;
  readonly blocks: readonly OpenBlock[];
  readonly usage: TokenUsage | null;
  /**
   * The message's end was reported, or something was sent to the model since: another message with
   * the same id is a new one.
   */
  readonly ended: boolean;
  /** The blocks that the previous attempt had written when it was cut off. */
  readonly attempt: readonly OpenBlock[];
}

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}

/** The agent's counters, which grow from turn to turn. */
interface Counted {
  readonly costUsd: number;
  readonly input: number;
  readonly output: number;
  /** Tokens read from the cache and written to it. */
  readonly cache: number;
  readonly run: number;
}

export interface OpenTool {
  readonly callId: string;
  readonly lane: Lane;
  /** The block that contains the call. */
  readonly block: string;
  readonly name: string;
  readonly title: string;
  readonly payload: ToolPayload;
  /** The reason with which a person denied the call, or null if nobody did. */
  readonly denied: string | null;
  /** The agent has withdrawn its question about the call. */
  readonly withdrawn: boolean;
}

export interface ToolOutcome {
  readonly content: unknown;
  readonly structured?: unknown;
  readonly isError: boolean;
  readonly denied: boolean;
}

export interface OpenAsk {
  readonly requestId: string;
  readonly lane: Lane;
  readonly callId: string | null;
  /** How it was answered. The log may still tell who answered. */
  readonly behavior: string | null;
}

/** A prompt that the agent has not printed back yet. */
export interface WaitingPrompt {
  readonly uuid: string;
  /** The turn after which it was sent. */
  readonly turn: number;
  /** The agent has queued it behind its current work. */
  readonly queued: boolean;
  /** A digest of its text, if the sender gave no uuid. */
  readonly words: string | null;
  readonly command: boolean;
  /** Its run ended before it arrived: it is expected to be sent again. */
  readonly lost: boolean;
}

export interface BackgroundTask {
  readonly taskId: string;
  readonly description?: string;
  readonly kind?: string;
  /** Counts how often the task has run. */
  readonly runId?: string;
}

/**
 * How a subagent is named by the agent that started it: its type, and a description of its work.
 */
export interface Subagent {
  readonly type?: string;
  readonly description?: string;
}

/** The subagent that works on a task. */
interface TaskAgent {
  readonly taskId: string;
  /** The lane in which it writes, even when another call wakes it. */
  readonly lane: Lane;
  /** The call that started it most recently, and the lane of that call. */
  readonly callId: string;
  readonly under: Lane;
  readonly who?: Subagent;
}

/** A request of the host whose answer is shown. */
export interface OpenRequest {
  readonly requestId: string;
  readonly subtype: string;
  readonly value: string | null;
}

/**
 * The state between two lines: plain data that can be stored, and bounded by what is open. Every
 * field is always present, with null for nothing, so that all states have one shape and one order.
 */
export interface NormalizeState {
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly mode: string | null;
  readonly cwd: string | null;
  /** The MCP servers as last reported, as text. */
  readonly mcp: string | null;
  readonly requests: readonly OpenRequest[];
  /**
   * What has reported the beginning of this run: the answer to `initialize` (`answer`), a marker in
   * the log (`note`), or both.
   */
  readonly runBegan: "untold" | "answer" | "note" | "both";
  /** How this run began, according to the marker in the log. */
  readonly told: "new" | "resumed" | "forked" | null;
  readonly commandsTold: boolean;
  /** A run has begun and its first `init` has not come. */
  readonly fresh: boolean;
  readonly started: boolean;
  readonly over: "ended" | "parked" | null;
  readonly turn: number;
  readonly inTurn: boolean;
  /** The main agent has written something in this turn. */
  readonly spoke: boolean;
  /** A digest of the last output of a command: a result may repeat it. */
  readonly printed: string | null;
  /** Why this turn fails, reported before its end. */
  readonly failure: string | null;
  readonly interrupted: boolean;
  readonly compacting: boolean;
  /** The conversation was just compacted: the summary comes next. */
  readonly compacted: boolean;
  readonly messages: readonly OpenMessage[];
  /** In the order in which they were called. */
  readonly tools: readonly OpenTool[];
  /** Calls that were settled without a result, which may still come. */
  readonly missed: readonly OpenTool[];
  /** Results that came before their call. */
  readonly early: readonly (ToolOutcome & { readonly callId: string })[];
  readonly asks: readonly OpenAsk[];
  readonly tasks: readonly BackgroundTask[];
  readonly agents: readonly TaskAgent[];
  /** Tasks whose call waits for them, which are not background work. */
  readonly foreground: readonly string[];
  /** How much of the window the main model's latest message filled; null until one has come. */
  readonly used: number | null;
  readonly window: number;
  /** The model of the main thread's latest message. */
  readonly mainModel: string | null;
  /** The agent's counters at the end of its last turn. */
  readonly counted: Counted;
  readonly runs: number;
  /**
   * A prompt that was sent, or an answer that is not confirmed: it is not yet safe to resume from.
   */
  readonly sentUuid: string | null;
  readonly pendingUuid: string | null;
  readonly lastUuid: string | null;
  /**
   * The uuids of the last messages, and the ids of the last streamed ones, to recognize repeated
   * messages.
   */
  readonly recent: RecentIds;
  readonly waiting: readonly WaitingPrompt[];
  /** This run prints prompts back. */
  readonly echoes: boolean;
  /** A prompt was sent or has arrived, and its turn has not begun. */
  readonly promptWaits: boolean;
  /**
   * A task has reported between turns, and nothing was sent since: the next turn is about that
   * report.
   */
  readonly reported: boolean;
  /** A counter that makes ids for messages without one. */
  readonly made: number;
  readonly activity: Activity;
}

const DEFAULT_WINDOW = 200_000;

export function createNormalizeState(): NormalizeState {
  return {
    sessionId: null,
    model: null,
    mode: null,
    cwd: null,
    mcp: null,
    requests: [],
    runBegan: "untold",
    told: null,
    commandsTold: false,
    fresh: true,
    started: false,
    over: null,
    turn: 0,
    inTurn: false,
    spoke: false,
    printed: null,
    failure: null,
    interrupted: false,
    compacting: false,
    compacted: false,
    messages: [],
    tools: [],
    missed: [],
    early: [],
    asks: [],
    tasks: [],
    agents: [],
    foreground: [],
    used: null,
    window: DEFAULT_WINDOW,
    mainModel: null,
    counted: { costUsd: 0, input: 0, output: 0, cache: 0, run: 0 },
    runs: 0,
    sentUuid: null,
    pendingUuid: null,
    lastUuid: null,
    recent: createRecentIds(RECENT_PAGES, true),
    waiting: [],
    echoes: false,
    promptWaits: false,
    reported: false,
    made: 0,
    activity: "starting",
  };
}

/** The state of the session, derived from what is open. */
export function findActivity(state: NormalizeState): Activity {
  if (state.over) return state.over;
  if (state.asks.some((ask) => ask.behavior === null)) return "asking";
  if (state.compacting) return "compacting";
  if (state.inTurn) return "active";
  if (!state.started) return "starting";
  if (state.promptWaits) return "active";
  return state.tasks.length > 0 ? "background" : "idle";
}

export function toLane(parent: string | null | undefined): Lane {
  return parent ?? MAIN;
}
