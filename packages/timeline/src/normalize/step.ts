import type { TimelineEvent } from "../event.ts";
import type { NormalizeState } from "./state.ts";

/** What a line did: the state it leaves, and the events it made. */
export interface Step {
  readonly state: NormalizeState;
  readonly events: readonly TimelineEvent[];
}

export function step(state: NormalizeState, ...events: readonly TimelineEvent[]): Step {
  return { state, events };
}

/** One thing after the other. */
export function andThen(first: Step, next: (state: NormalizeState) => Step): Step {
  const second = next(first.state);
  return { state: second.state, events: [...first.events, ...second.events] };
}
