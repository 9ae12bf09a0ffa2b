import { isObject, parseObject } from "../json.ts";
import type { Message, SystemMessage } from "./decode.ts";

/** Reads fields that versions and related programs spell differently. */

export function readResultText(result: Message<"result">): string | undefined {
  if (typeof result.result === "string") return result.result;
  return result.result?.text ?? undefined;
}

export function readResultSessionId(result: Message<"result">): string | undefined {
  const inner = isObject(result.result) ? result.result.session_id : undefined;
  return result.session_id ?? inner ?? undefined;
}

export function readResultCostUsd(result: Message<"result">): number | undefined {
  return result.total_cost_usd ?? result.cost_usd ?? undefined;
}

export function readResultTokens(result: Message<"result">): { input?: number; output?: number } {
  const input = result.usage?.input_tokens ?? result.total_input_tokens;
  const output = result.usage?.output_tokens ?? result.total_output_tokens;
  return { ...(input != null && { input }), ...(output != null && { output }) };
}

/** The context window of each model that took part in the turn, if the agent reports it. */
export function readContextWindows(result: Message<"result">): Map<string, number> {
  const windows = new Map<string, number>();
  for (const usage of [result.model_usage, result.modelUsage]) {
    for (const [model, facts] of Object.entries(usage ?? {})) {
      const window = facts["contextWindow"] ?? facts["context_window"];
      if (typeof window === "number" && window > 0) windows.set(model, window);
    }
  }
  return windows;
}

/** What went wrong with a turn, in the agent's own words; undefined when nothing did. */
export function readResultError(result: Message<"result">): string | undefined {
  const failed = result.is_error === true || (result.subtype ?? "success") !== "success";
  if (!failed) return undefined;
  const errors = result.errors?.map((error) =>
    typeof error === "string" ? error : JSON.stringify(error),
  );
  const text = errors?.join("\n") || readResultText(result);
  return text
    ? extractErrorMessage(text)
    : (failures.get(result.subtype ?? "") ?? result.subtype ?? "the turn failed");
}

/** Texts for failures that the agent reports without a message: 2.1.7 never has one. */
const failures = new Map([
  ["error_during_execution", "the turn failed"],
  ["error_max_turns", "reached the maximum number of turns"],
  ["error_max_budget_usd", "reached the budget"],
  ["error_max_structured_output_retries", "found no answer in the shape that was asked for"],
]);

/**
 * 2.1.7 puts the whole body of the model's error response into its message; this reads the message
 * in it.
 */
export function extractErrorMessage(text: string): string {
  const from = text.indexOf('{"type":"error"');
  const to = text.lastIndexOf("}") + 1;
  if (from === -1 || to <= from) return text;
  const body = parseObject(text.slice(from, to));
  const error = typeof body === "string" ? undefined : body["error"];
  const message = isObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? text.slice(0, from) + message + text.slice(to) : text;
}

export function readPermissionMode(init: SystemMessage<"init">): string | undefined {
  return init.permissionMode ?? init.permission_mode;
}
