import type { TimelineEvent } from "../event.ts";
import { ItemDraft, type ReduceState } from "./draft.ts";
import type { Item } from "../item.ts";
import { applyEvent } from "./items.ts";
import { summarize } from "./summary.ts";

/** The state after an event, and the items that it created or changed. */
interface ReduceStep {
  readonly state: ReduceState;
  readonly changed: readonly Item[];
}

export function reduce(before: ReduceState, event: TimelineEvent, at?: number): ReduceStep {
  return reduceAll(before, [event], at);
}

/** Reduces the events of one line. Each changed item is listed once, in its final state. */
export function reduceAll(
  before: ReduceState,
  events: readonly TimelineEvent[],
  at?: number,
): ReduceStep {
  if (events.length === 0) return { state: before, changed: [] };
  const draft = new ItemDraft(before, at);
  for (const event of events) {
    summarize(draft, event);
    applyEvent(draft, event);
  }
  if (at !== undefined && at !== draft.summary.lastActivityAt) draft.newSummary.lastActivityAt = at;
  return { state: draft.state(), changed: newest(draft.changed) };
}

function newest(changed: readonly Item[]): readonly Item[] {
  if (changed.length < 2) return changed;
  return [...new Map(changed.map((item) => [item.id, item])).values()];
}
