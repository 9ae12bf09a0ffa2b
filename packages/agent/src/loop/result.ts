import { errorMessage } from "@signalbox/protocol/text";
import type { TurnResult } from "../agent.ts";

/** The usage in the result of an agent that does not count: no tokens, no cost. */
const nothingUsed = {
  stop_reason: null,
  total_cost_usd: 0,
  duration_api_ms: 0,
  usage: {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens_details: { thinking_tokens: 0 },
    server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
    service_tier: "standard",
    cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
    inference_geo: "",
    iterations: [],
    speed: "standard",
    fallback_credit: null,
  },
  modelUsage: {},
  permission_denials: [],
};

interface ResultFacts {
  readonly durationMs: number;
  /** The first prompt of the turn, if its sender gave it a uuid. */
  readonly prompt?: string;
  /** All prompts that the result answers. */
  readonly prompts: readonly string[];
  /** Claude Code 2.1.325 counts the waiting prompts whose `origin` is a person. */
  readonly queued: number;
  readonly index: number;
}

export function resultLine(
  end: TurnResult,
  facts: ResultFacts,
): { type: "result"; [field: string]: unknown } {
  return {
    ...nothingUsed,
    ...end,
    type: "result",
    duration_ms: facts.durationMs,
    ...(facts.prompts.length > 0 && {
      user_message_uuid: facts.prompt ?? facts.prompts[0],
      user_message_uuids: facts.prompts,
    }),
    queued_turn_count: facts.queued,
    result_index: facts.index,
  };
}

/** Creates the result of a turn that failed unexpectedly. */
export function createFailedResult(failure: unknown): TurnResult {
  const text = errorMessage(failure);
  return {
    subtype: "error_during_execution",
    is_error: true,
    num_turns: 0,
    errors: [text],
    terminal_reason: "error",
  };
}
