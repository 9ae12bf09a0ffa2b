import type { Decoded } from "@signalbox/protocol";
import { type Activity, type BlockKind, type Lane, MAIN } from "../event.ts";
import type { ToolPayload } from "../tools/index.ts";

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
}

/** The message that a lane is in the middle of. */
export interface OpenMessage {
  readonly messageId: string;
  /** It was told before, and is only printed again. */
  readonly repeated?: boolean;
  readonly blocks: readonly OpenBlock[];
  readonly usage?: Usage;
}

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheCreation: number;
  readonly cacheRead: number;
}

export interface OpenTool {
  /** Which call of the session it is: ids have no order of their own. */
  readonly nth: number;
  readonly lane: Lane;
  readonly name: string;
  readonly payload: ToolPayload;
}

export interface EarlyResult {
  readonly content: unknown;
  readonly structured?: unknown;
  readonly isError: boolean;
  readonly denied: boolean;
}

/**
 * What one line leaves for the next: plain data, so that it can be stored, and bounded by what is open.
 */
export interface NormalizeState {
  readonly sessionId?: string;
  readonly model?: string;
  readonly mode?: string;
  /** The MCP servers as last told, as text. */
  readonly mcp?: string;
  /** The `initialize` that waits for its answer: when it is answered, a new run has begun. */
  readonly initializing?: string;
  /** A run has begun and its first `init` has not come. */
  readonly fresh: boolean;
  readonly started: boolean;
  readonly turn: number;
  readonly inTurn: boolean;
  readonly promptWaits: boolean;
  /** The main agent has said something in this turn. */
  readonly spoke: boolean;
  readonly interrupted: boolean;
  readonly compacting: boolean;
  readonly over?: "ended" | "parked";
  readonly messages: Readonly<Record<Lane, OpenMessage>>;
  readonly tools: Readonly<Record<string, OpenTool>>;
  /** Results that came before their call. */
  readonly early: Readonly<Record<string, EarlyResult>>;
  /** The lane that each open ask comes from. */
  readonly asks: Readonly<Record<string, Lane>>;
  readonly tasks: readonly string[];
  readonly usage?: Usage;
  readonly window: number;
  /** The model of the main thread's latest message. */
  readonly mainModel?: string;
  readonly pendingUuid?: string;
  readonly lastUuid?: string;
  /** The uuids of the last messages, and the ids of the last that were streamed: what comes again is recognised. */
  readonly recent: readonly string[];
  readonly recentIds: readonly string[];
  /** Prompts that the agent has not printed back yet, however long ago they were sent. */
  readonly waiting: readonly { readonly uuid: string; readonly turn: number }[];
  /** The conversation was just compacted: the summary comes next. */
  readonly compacted: boolean;
  /** Ids for messages that bring none. */
  readonly made: number;
  readonly calls: number;
  readonly activity: Activity;
}

export const DEFAULT_WINDOW = 200_000;
const RECENT = 128;

export function initialState(): NormalizeState {
  return {
    fresh: true,
    started: false,
    turn: 0,
    inTurn: false,
    promptWaits: false,
    spoke: false,
    interrupted: false,
    compacting: false,
    messages: {},
    tools: {},
    early: {},
    asks: {},
    tasks: [],
    window: DEFAULT_WINDOW,
    recent: [],
    recentIds: [],
    waiting: [],
    compacted: false,
    made: 0,
    calls: 0,
    activity: "starting",
  };
}

export function isRecent(state: NormalizeState, uuid: string | undefined): boolean {
  return (
    uuid !== undefined &&
    (state.recent.includes(uuid) || state.waiting.some((sent) => sent.uuid === uuid))
  );
}

export function remember(state: NormalizeState, uuid: string | undefined): readonly string[] {
  if (uuid === undefined || state.recent.includes(uuid)) return state.recent;
  return [...state.recent.slice(-(RECENT - 1)), uuid];
}

const RECENT_IDS = 32;

export function rememberId(state: NormalizeState, messageId: string): readonly string[] {
  if (state.recentIds.includes(messageId)) return state.recentIds;
  return [...state.recentIds.slice(-(RECENT_IDS - 1)), messageId];
}

export function without<V>(record: Readonly<Record<string, V>>, key: string): Record<string, V> {
  const { [key]: _, ...rest } = record;
  return rest;
}

/** What the session is doing, from what is open. */
export function activityOf(state: NormalizeState): Activity {
  if (state.over) return state.over;
  if (Object.keys(state.asks).length > 0) return "asking";
  if (state.compacting) return "compacting";
  if (state.inTurn) return "active";
  if (!state.started) return "starting";
  return state.tasks.length > 0 ? "background" : "idle";
}

/** More lanes than any agent has open at once: the oldest goes when its end was never told. */
const MOST_LANES = 64;

export function withMessage(state: NormalizeState, lane: Lane, open: OpenMessage): NormalizeState {
  const { [lane]: before, ...others } = state.messages;
  const kept = Object.entries(others).slice(1 - MOST_LANES);
  const over = before && before.messageId !== open.messageId;
  const recentIds = over ? rememberId(state, before.messageId) : state.recentIds;
  return { ...state, recentIds, messages: { ...Object.fromEntries(kept), [lane]: open } };
}

/** A subagent that is done leaves no message open. */
export function withoutLane(state: NormalizeState, lane: Lane | undefined): NormalizeState {
  if (lane === undefined || !Object.hasOwn(state.messages, lane)) return state;
  return { ...state, messages: without(state.messages, lane) };
}

export function laneOf(parent: string | null | undefined): Lane {
  return parent ?? MAIN;
}
