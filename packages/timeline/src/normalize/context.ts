import { isObject } from "@signalbox/protocol/wire";
import type { Draft } from "./draft.ts";
import { number, object } from "./fields.ts";
import type { TokenUsage } from "./state.ts";

export function readUsage(value: unknown, before?: TokenUsage | null): TokenUsage {
  const usage = object(value);
  return {
    input: number(usage["input_tokens"]) ?? before?.input ?? 0,
    output: number(usage["output_tokens"]) ?? before?.output ?? 0,
    cacheCreation: number(usage["cache_creation_input_tokens"]) ?? before?.cacheCreation ?? 0,
    cacheRead: number(usage["cache_read_input_tokens"]) ?? before?.cacheRead ?? 0,
  };
}

function total({ input, output, cacheCreation, cacheRead }: TokenUsage): number {
  return input + output + cacheCreation + cacheRead;
}

/** How much of the window a message has filled, if it says so. */
export function noteUsage(draft: Draft, usage: unknown, before?: TokenUsage | null): void {
  const used = total(readUsage(usage, before));
  if (isObject(usage) && used > 0) setContext(draft, used);
}

/** Reports how full the window is after the main model's latest message, when that changes. */
export function setContext(draft: Draft, used: number | null, window = draft.state.window): void {
  const { state } = draft;
  if (used === state.used && window === state.window) return;
  const forgotten = used === null && state.used !== null;
  state.used = used;
  state.window = window;
  if (forgotten) draft.emit({ type: "context-forgotten" });
  if (used === null) return;
  // Before the window is known, more may be used than the assumed size: limit it to 100 %.
  const share = window > 0 ? Math.min(1, used / window) : 0;
  const efficiency = Math.round(share * 1000) / 10;
  const remaining = Math.max(0, window - used);
  draft.emit({ type: "context-changed", used, window, remaining, efficiency });
}
