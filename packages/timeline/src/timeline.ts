import type { Decoded } from "@signalbox/protocol";
import type { TimelineEvent } from "./event.ts";
import { normalize } from "./normalize/normalize.ts";
import { initialState, type LogLine, type NormalizeState } from "./normalize/state.ts";
import type { Item } from "./reduce/item.ts";
import { initialReduceState, reduce, type ReduceState } from "./reduce/reduce.ts";

/** All that is kept between two lines of a log: plain data, to be stored and taken up again. */
export interface TimelineState {
  readonly normalize: NormalizeState;
  readonly reduce: ReduceState;
}

export interface Advance {
  readonly state: TimelineState;
  readonly events: readonly TimelineEvent[];
  /** The items that this line made or changed, each once, as it is now. */
  readonly changed: readonly Item[];
}

export function initialTimeline(): TimelineState {
  return { normalize: initialState(), reduce: initialReduceState() };
}

/** One line further: what it means, and what there is to see of it. */
export function advance(state: TimelineState, line: LogLine): Advance {
  const { state: normalized, events } = normalize(state.normalize, line);
  const at = line.at ?? timeOf(line.line);
  let reduced = state.reduce;
  let changed: readonly Item[] = [];
  for (const event of events) {
    const step = reduce(reduced, event, at);
    reduced = step.state;
    changed = changed.length === 0 ? step.changed : [...changed, ...step.changed];
  }
  return { state: { normalize: normalized, reduce: reduced }, events, changed: newest(changed) };
}

function newest(changed: readonly Item[]): readonly Item[] {
  if (changed.length < 2) return changed;
  return [...new Map(changed.map((item) => [item.id, item])).values()];
}

/** Newer versions date what they say. */
function timeOf(line: Decoded): number | undefined {
  if (line.kind !== "known" || line.message.type === "stream_event") return undefined;
  const at = "timestamp" in line.message ? Date.parse(String(line.message.timestamp)) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
