import type { TimelineEvent } from "../event.ts";
import type { NormalizeState } from "./state.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * One line at work: the state that it will leave, and the events it has made so far. The fields of the
 * state may be set; what they hold is shared with the state before and is replaced, never changed.
 */
export class Draft {
  readonly state: Mutable<NormalizeState>;
  readonly events: TimelineEvent[] = [];

  constructor(before: NormalizeState) {
    this.state = { ...before };
  }

  emit(event: TimelineEvent): void {
    this.events.push(event);
  }
}
