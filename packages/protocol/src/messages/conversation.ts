import * as z from "zod";
import { block, common, count, flag, lane, open, text, usage } from "./fields.ts";

/**
 * The messages of a conversation, by `type`, with the fields that code uses. Where versions spell a
 * field differently, both spellings are declared, and `result-fields.ts` reads either.
 */
export const conversation = {
  /**
   * One content block of an answer (2.1.x sends one line for each block), or all of them (older
   * relays).
   */
  assistant: open({
    ...common,
    parent_tool_use_id: lane,
    message: open({
      id: text.optional(),
      model: text.optional(),
      content: z.union([text, z.array(block)]),
      usage: usage.nullish(),
      stop_reason: text.nullish(),
    }),
    error: text.optional(),
    agent_id: text.optional(),
    subagent_type: text.optional(),
  }),
  user: open({
    ...common,
    parent_tool_use_id: lane,
    message: open({ role: text, content: z.union([text, z.array(block)]) }),
    isReplay: flag.optional(),
    isSynthetic: flag.optional(),
    tool_use_result: z.unknown().optional(),
  }),
  stream_event: open({ ...common, parent_tool_use_id: lane, event: open({ type: text }) }),
  result: open({
    ...common,
    subtype: text.nullish(), // Some relays omit it.
    is_error: flag.nullish(),
    result: z.union([text, open({ text: text.nullish(), session_id: text.nullish() })]).nullish(),
    errors: z.array(z.unknown()).nullish(),
    duration_ms: count.nullish(),
    num_turns: count.nullish(),
    total_cost_usd: count.nullish(),
    cost_usd: count.nullish(),
    usage: usage.nullish(),
    total_input_tokens: count.nullish(),
    total_output_tokens: count.nullish(),
    modelUsage: z.record(text, open({ contextWindow: count.nullish() })).nullish(),
    model_usage: z.record(text, open({ context_window: count.nullish() })).nullish(),
    stop_reason: text.nullish(),
  }),
  tool_progress: open({
    ...common,
    tool_use_id: text,
    tool_name: text.optional(),
    elapsed_time_seconds: count,
    parent_tool_use_id: lane,
  }),
  tool_use_summary: open({
    ...common,
    summary: text,
    preceding_tool_use_ids: z.array(text).optional(),
  }),
  auth_status: open({
    ...common,
    isAuthenticating: flag.optional(),
    output: z.array(text).optional(),
    error: text.optional(),
  }),
  rate_limit_event: open({ ...common, rate_limit_info: open({ status: text.optional() }) }),
  /** An older spelling of `rate_limit_event`. */
  rate_limit: open({ ...common, message: text.optional() }),
  prompt_suggestion: open({ ...common, suggestion: text }),
  conversation_reset: open({ ...common, new_conversation_id: text.optional() }),
  command_lifecycle: open({ ...common, command_uuid: text, state: text }),
  active_goal: open({ ...common, value: open({ condition: text.optional() }).nullish() }),
  /** An entry of a transcript that is no message, wrapped by `TranscriptConverter`. */
  transcript_entry: open({ entry: open({}) }),
  keep_alive: open({}),
  /** Sent by a relay, not by an agent: tells front ends whether an agent is connected. */
  status: open({ text }),
};
