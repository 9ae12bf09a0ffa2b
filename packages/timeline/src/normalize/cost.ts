import { type Message, readResultCostUsd, readResultTokens } from "@signalbox/protocol";
import type { Draft } from "./draft.ts";
import { number, object } from "./fields.ts";

interface TurnFigures {
  readonly costUsd?: number | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly cacheTokens?: number | undefined;
}

/**
 * Computes the cost of one turn. The agent's counters grow from turn to turn. 2.1.325 continues
 * them when a session is resumed, and 2.1.7 starts again at zero with every run.
 */
export function readTurnCosts(draft: Draft, result: Message<"result">): TurnFigures {
  const { state } = draft;
  const usage = object(result.usage);
  const all = sums(result["modelUsage"]);
  const since = result["model_usage_since_last_result"];
  const { input, output } = readResultTokens(result);
  const cached =
    (number(usage["cache_read_input_tokens"]) ?? 0) +
    (number(usage["cache_creation_input_tokens"]) ?? 0);
  const total = readResultCostUsd(result);
  const before = state.counted;
  const tokens = (input ?? 0) + (output ?? 0) + cached;
  const counts = total !== undefined && total >= before.costUsd;
  const goesOn = before.run === state.runs || sumTokens(all) - tokens >= sumTokens(before);
  const counted = counts && goesOn ? before : { costUsd: 0, input: 0, output: 0, cache: 0 };
  const cost = total === undefined ? undefined : exact(total - counted.costUsd);
  const own = since === undefined ? { ...subtract(all, counted), cost } : sums(since);
  if (total !== undefined) {
    const { input, output, cache } = all;
    state.counted = { costUsd: total, input, output, cache, run: state.runs };
  }
  // The usage of a turn that 2.1.7 reports omits subagents, smaller models and compactions.
  const whole = since !== undefined || (total !== undefined && sumTokens(own) >= tokens);
  return {
    costUsd: own.cost,
    inputTokens: whole ? own.input : input,
    outputTokens: whole ? own.output : output,
    cacheTokens: (whole ? own.cache : cached) || undefined,
  };
}

interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cache: number;
}

function sumTokens({ input, output, cache }: Tokens): number {
  return input + output + cache;
}

function subtract(all: Tokens, before: Tokens): Tokens {
  return {
    input: Math.max(0, all.input - before.input),
    output: Math.max(0, all.output - before.output),
    cache: Math.max(0, all.cache - before.cache),
  };
}

/** Rounds away the errors of binary fractions in sums of money. */
export function exact(usd: number): number {
  const roundedUsd = Math.round(usd * 1e10) / 1e10;
  return Number.isFinite(roundedUsd) ? roundedUsd : usd;
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
