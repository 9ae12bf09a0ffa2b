import type { TimelineEvent } from "../event.ts";
import type { NormalizeState } from "./state.ts";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The state while a line is handled, and the events it has made so far. Fields of the state may be
 * assigned. Their values are shared with the previous state and are replaced, never changed.
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
