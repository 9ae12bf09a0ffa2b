import type { Decoded } from "@signalbox/protocol";
import type { TimelineEvent } from "./event.ts";
import { normalize } from "./normalize/normalize.ts";
import { createNormalizeState, type LogLine, type NormalizeState } from "./normalize/state.ts";
import { onPlainDelta } from "./normalize/streaming.ts";
import { createReduceState, type ReduceState } from "./reduce/draft.ts";
import { growItem } from "./reduce/growth.ts";
import type { Item } from "./item.ts";
import { reduceAll } from "./reduce/reduce.ts";

/** The state between two lines of a log: plain data that can be stored and loaded again. */
export interface TimelineState {
  readonly normalize: NormalizeState;
  readonly reduce: ReduceState;
}

export interface TimelineStep {
  readonly state: TimelineState;
  readonly events: readonly TimelineEvent[];
  /** The items that this line created or changed, each once, in its final state. */
  readonly changed: readonly Item[];
}

export function createTimeline(): TimelineState {
  return { normalize: createNormalizeState(), reduce: createReduceState() };
}

/**
 * Handles one line of a log: what it means, and what changes on the screen. The previous state
 * stays unchanged.
 */
export function advance(before: TimelineState, line: LogLine): TimelineStep {
  const { line: decoded } = line;
  if (decoded.kind === "known" && decoded.message.type === "stream_event") {
    const growth = line.from === "agent" && onPlainDelta(before.normalize, decoded.message);
    if (growth) return onGrowth(before, growth);
  }
  const { state: normalized, events } = normalize(before.normalize, line);
  const reduced = reduceAll(before.reduce, events, line.at ?? readTime(decoded));
  const state = { normalize: normalized, reduce: reduced.state };
  return { state, events, changed: reduced.changed };
}

/** Nearly every line of a session only adds a few characters to a block. */
function onGrowth(
  before: TimelineState,
  growth: Extract<TimelineEvent, { type: "block-grew" }>,
): TimelineStep {
  const reduce = growItem(before.reduce, growth);
  const events = [growth];
  if (reduce === before.reduce || reduce.growing === null) {
    return { state: before, events, changed: [] };
  }
  return { state: { normalize: before.normalize, reduce }, events, changed: [reduce.growing] };
}

/**
 * Newer versions put a timestamp on messages. A message that is printed back is older than its
 * line.
 */
function readTime(line: Decoded): number | undefined {
  if (line.kind !== "known" || line.message.type === "stream_event") return undefined;
  const { timestamp, isReplay } = line.message as { timestamp?: unknown; isReplay?: unknown };
  if (typeof timestamp !== "string" || isReplay === true) return undefined;
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? undefined : at;
}
