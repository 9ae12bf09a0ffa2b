import type { Draft } from "./draft.ts";
import { present } from "./fields.ts";
import type { OpenAsk } from "./state.ts";

/** Cancels asks that no longer wait for a person. */

export function cancelAsk(draft: Draft, requestId: string, message?: string): void {
  removeAsk(draft, requestId);
  draft.emit(present({ type: "permission-cancelled" as const, requestId, message }));
}

/** Nobody answered in time. */
export function expireAsk(draft: Draft, requestId: string, message: string): void {
  removeAsk(draft, requestId);
  draft.emit({ type: "permission-cancelled", requestId, expired: true, message });
}

function removeAsk({ state }: Draft, requestId: string): void {
  state.asks = state.asks.filter((ask) => ask.requestId !== requestId);
}

export function cancelAsks(draft: Draft, isOver: (ask: OpenAsk) => boolean): void {
  const { state } = draft;
  if (state.asks.length === 0) return;
  const cancelled = state.asks.filter(isOver);
  for (const { requestId, behavior } of cancelled) {
    if (behavior === null) draft.emit({ type: "permission-cancelled", requestId });
  }
  state.asks = state.asks.filter((ask) => !cancelled.includes(ask));
}

/** A settled call no longer waits for an answer, even if the log has no answer. */
export function cancelAsksOfCall(draft: Draft, call: string): void {
  cancelAsks(draft, ({ callId, behavior }) => callId === call && behavior === null);
}
