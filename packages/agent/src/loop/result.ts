import type { TurnEnd } from "../agent.ts";

/** What a result says where its agent does not count: no tokens, no cost. */
const nothingUsed = {
  stop_reason: null,
  total_cost_usd: 0,
  duration_api_ms: 0,
  usage: { input_tokens: 0, output_tokens: 0 },
  modelUsage: {},
  permission_denials: [],
};

export function resultLine(
  end: TurnEnd,
  facts: { durationMs: number; prompts: readonly string[]; queued: number; index: number },
): { type: "result"; [field: string]: unknown } {
  return {
    ...nothingUsed,
    ...end,
    type: "result",
    duration_ms: facts.durationMs,
    ...(facts.prompts.length > 0 && {
      user_message_uuid: facts.prompts[0],
      user_message_uuids: facts.prompts,
    }),
    queued_turn_count: facts.queued,
    result_index: facts.index,
  };
}

/** A turn that its agent could not even end by itself. */
export function failedEnd(failure: unknown): TurnEnd {
  const text = failure instanceof Error ? failure.message : String(failure);
  return {
    subtype: "error_during_execution",
    is_error: true,
    num_turns: 0,
    errors: [text],
    terminal_reason: "error",
  };
}
