import type { Decoded } from "@signalbox/protocol";
import { type Activity, type BlockKind, type Lane, MAIN } from "../event.ts";
import type { ToolPayload } from "../tools/index.ts";
import { type IdMemory, createIdMemory } from "../id-memory.ts";
import { RECENT_PAGES } from "./recent-messages.ts";

/** A line of the log: who said it, and what it is. */
export interface LogLine {
  /** When it was read, in milliseconds, where the log knows. */
  readonly at?: number;
  /** The keeper is whoever keeps the log: its notes are `keeperNotes` of the protocol. */
  readonly from: "agent" | "host" | "keeper";
  readonly line: Decoded;
}

export interface OpenBlock {
  readonly kind: BlockKind;
  readonly callId?: string;
  readonly settled: boolean;
  /** Made once: a block grows thousands of times. */
  readonly id: string;
  /** What it says, in short, when it is settled. */
  readonly words?: Words;
}

/** A text in short, by which it is known again, also as the beginning of another. */
export interface Words {
  readonly length: number;
  readonly head: string;
  readonly tail: string;
}

/** The message that a lane is in the middle of. */
export interface OpenMessage {
  readonly lane: Lane;
  readonly messageId: string;
  /** It was told before, and is only printed again. */
  readonly repeated: boolean;
  readonly blocks: readonly OpenBlock[];
  readonly usage: Usage | null;
  /** Its end was told, or something was said to the model since: the next message is not the same once more. */
  readonly ended: boolean;
  /** What the attempt before it came to say, block by block, when that was cut off. */
  readonly attempt: readonly OpenBlock[];
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}

/** What an agent has counted: it counts on from turn to turn. */
export interface Counted {
  readonly costUsd: number;
  readonly input: number;
  readonly output: number;
  /** Read from the cache and written to it. */
  readonly cache: number;
  readonly run: number;
}

export interface OpenTool {
  readonly callId: string;
  readonly lane: Lane;
  /** The block that called it. */
  readonly block: string;
  readonly name: string;
  readonly title: string;
  readonly payload: ToolPayload;
  /** With what words, or none, a person said no to it; null: nobody did. */
  readonly denied: string | null;
  /** The agent waits no longer for what it had asked about it. */
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
  /** How it was answered; who did may still be told. */
  readonly behavior: string | null;
}

/** A prompt that the agent has not printed back yet. */
export interface WaitingPrompt {
  readonly uuid: string;
  /** The turn after which it was sent. */
  readonly turn: number;
  /** The agent has put it behind what it is doing. */
  readonly queued: boolean;
  /** Its words in short, where the sender gave no uuid by which to know it again. */
  readonly words: string | null;
  readonly command: boolean;
  /** Its run died before it arrived: it waits to be sent again. */
  readonly lost: boolean;
}

export interface BackgroundTask {
  readonly taskId: string;
  readonly description?: string;
  readonly kind?: string;
  /** Which time it is that it runs. */
  readonly runId?: string;
}

/** What a subagent is called by whoever sent it: its kind, and what it is to do. */
export interface Subagent {
  readonly type?: string;
  readonly description?: string;
}

/** Who is at work on a task. */
interface TaskAgent {
  readonly taskId: string;
  /** The lane in which it speaks, also when it is woken by another call. */
  readonly lane: Lane;
  /** The call that set it going, the last time, and the lane of that call. */
  readonly callId: string;
  readonly under: Lane;
  readonly who?: Subagent;
}

/** A request of the host's whose answer tells something. */
export interface OpenRequest {
  readonly requestId: string;
  readonly subtype: string;
  readonly value: string | null;
}

/**
 * What one line leaves for the next: plain data, so that it can be stored, and bounded by what is open.
 * Every field is always there, null where there is nothing: states have one shape and one order.
 */
export interface NormalizeState {
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly mode: string | null;
  readonly cwd: string | null;
  /** The MCP servers as last told, as text. */
  readonly mcp: string | null;
  readonly requests: readonly OpenRequest[];
  /** What has told of this run's beginning: an answer to `initialize`, a note of the keeper's. */
  readonly runBegan: "untold" | "answer" | "note" | "both";
  /** How this run began, as the keeper says. */
  readonly told: "new" | "resumed" | "forked" | null;
  readonly commandsTold: boolean;
  /** A run has begun and its first `init` has not come. */
  readonly fresh: boolean;
  readonly started: boolean;
  readonly over: "ended" | "parked" | null;
  readonly turn: number;
  readonly inTurn: boolean;
  /** The main agent has said something in this turn. */
  readonly spoke: boolean;
  /** What a command last printed, in short: a result may say it again. */
  readonly printed: string | null;
  /** Why this turn fails, told before its end. */
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
  /** Tasks whose call waits for them: no background work. */
  readonly foreground: readonly string[];
  /** How much the main model's latest message filled; null until one has come. */
  readonly used: number | null;
  readonly window: number;
  /** The model of the main thread's latest message. */
  readonly mainModel: string | null;
  /** What the agent has counted when its last turn ended. */
  readonly counted: Counted;
  readonly runs: number;
  /** A prompt that was sent, an answer that is not confirmed: not safe to resume from yet. */
  readonly sentUuid: string | null;
  readonly pendingUuid: string | null;
  readonly lastUuid: string | null;
  /** The uuids of the last messages, and the ids of the last that were streamed: what comes again is recognised. */
  readonly recent: IdMemory;
  readonly waiting: readonly WaitingPrompt[];
  /** This run prints prompts back. */
  readonly echoes: boolean;
  /** A prompt was sent or has come up, and its turn has not begun. */
  readonly promptWaits: boolean;
  /** A task has reported between turns, and nothing was sent since: the next turn is about that. */
  readonly reported: boolean;
  /** Ids for messages that bring none. */
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
    recent: createIdMemory(RECENT_PAGES, true),
    waiting: [],
    echoes: false,
    promptWaits: false,
    reported: false,
    made: 0,
    activity: "starting",
  };
}

/** What the session is doing, from what is open. */
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
