import type { TimelineEvent } from "../event.ts";
import { number, object } from "./fields.ts";
import type { NormalizeState, Usage } from "./state.ts";

export function readUsage(value: unknown, before?: Usage): Usage {
  const usage = object(value);
  return {
    input: number(usage["input_tokens"]) ?? before?.input ?? 0,
    output: number(usage["output_tokens"]) ?? before?.output ?? 0,
    cacheCreation: number(usage["cache_creation_input_tokens"]) ?? before?.cacheCreation ?? 0,
    cacheRead: number(usage["cache_read_input_tokens"]) ?? before?.cacheRead ?? 0,
  };
}

/** How full the window is, after the main model's latest message. Nothing until one has come. */
export function contextEvent(state: NormalizeState): TimelineEvent[] {
  if (!state.usage) return [];
  const { input, output, cacheCreation, cacheRead } = state.usage;
  const used = input + output + cacheCreation + cacheRead;
  const { window } = state;
  const efficiency = window > 0 ? Math.round((used / window) * 1000) / 10 : 0;
  const remaining = Math.max(0, window - used);
  return [{ type: "context-changed", used, window, remaining, efficiency }];
}

export function sameUsage(a: Usage | undefined, b: Usage): boolean {
  return (
    a !== undefined &&
    a.input === b.input &&
    a.output === b.output &&
    a.cacheCreation === b.cacheCreation &&
    a.cacheRead === b.cacheRead
  );
}
