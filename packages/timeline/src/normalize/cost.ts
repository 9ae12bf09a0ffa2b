import { type Message, resultCostUsd, resultTokens } from "@signalbox/protocol";
import type { Draft } from "./draft.ts";
import { number, object } from "./fields.ts";

export interface TurnFigures {
  readonly costUsd?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheTokens?: number | undefined;
}

/**
 * What a turn alone has cost. The agent counts on from turn to turn; 2.1.325 goes on counting where a
 * resumed session stood, 2.1.7 begins anew with every run.
 */
export function figuresOf(draft: Draft, result: Message<"result">): TurnFigures {
  const { state } = draft;
  const usage = object(result.usage);
  const all = sums(result["modelUsage"]);
  const since = result["model_usage_since_last_result"];
  const own = since === undefined ? undefined : sums(since);
  const { input, output } = resultTokens(result);
  const cached =
    (number(usage["cache_read_input_tokens"]) ?? 0) +
    (number(usage["cache_creation_input_tokens"]) ?? 0);
  const total = resultCostUsd(result);
  const before = state.counted;
  const tokens = all.input + all.output + all.cache;
  const ownTokens = (input ?? 0) + (output ?? 0) + cached;
  const counts = total !== undefined && total >= before.costUsd;
  const goesOn = before.run === state.runs || tokens - ownTokens >= before.tokens;
  if (total !== undefined) state.counted = { costUsd: total, tokens, run: state.runs };
  return {
    costUsd: own?.cost ?? (counts && goesOn ? exact(total - before.costUsd) : total),
    inputTokens: own?.input ?? input,
    outputTokens: own?.output ?? output,
    cacheTokens: (own?.cache ?? cached) || undefined,
  };
}

/** Sums of money without the dust of binary fractions. */
export function exact(usd: number): number {
  return Math.round(usd * 1e10) / 1e10;
}

function sums(models: unknown): { input: number; output: number; cache: number; cost: number } {
  const sum = { input: 0, output: 0, cache: 0, cost: 0 };
  for (const model of Object.values(object(models)).map(object)) {
    sum.input += number(model["inputTokens"]) ?? 0;
    sum.output += number(model["outputTokens"]) ?? 0;
    sum.cache +=
      (number(model["cacheReadInputTokens"]) ?? 0) +
      (number(model["cacheCreationInputTokens"]) ?? 0);
    sum.cost += number(model["costUSD"]) ?? 0;
  }
  sum.cost = exact(sum.cost);
  return sum;
}
