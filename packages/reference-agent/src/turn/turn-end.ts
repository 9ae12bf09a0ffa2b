import type { JsonObject } from "@signalbox/protocol/wire";
import type { Turn, TurnResult } from "@signalbox/agent";
import { apiErrorName, terminalReason } from "../model/failure.ts";
import type { Session } from "../session.ts";
import type { ConversationEnd } from "./conversation-end.ts";
import type { Thread } from "./thread.ts";

/** Returns the text that hosts saw. */
const getDisplayedText = ({ shownText }: Thread, text: string): string =>
  shownText?.original === text ? shownText.shown : text;

/** The result of a turn in which the model was asked. */
export function getEnd(
  session: Session,
  turn: Turn,
  thread: Thread,
  ended: ConversationEnd,
  { began }: { began: number },
): TurnResult {
  const { ledger } = session;
  const { requestAt, firstEventAt, firstTextAt } = thread.timing;
  const origin = turn.prompt.line["origin"];
  const since = (at: number | undefined) => (at === undefined ? undefined : at - began);
  const result = outcome({ ...ended, text: getDisplayedText(thread, ended.text) }, session);
  const times =
    result.is_error || ended.deferred
      ? {}
      : omitUndefined({
          ttft_ms: since(firstTextAt),
          ttft_stream_ms: since(firstEventAt),
          time_to_request_ms: since(requestAt),
          first_content_frame_ms: since(firstTextAt),
          ...(thread.promptUuids.length > 0 && {
            request_sent_wall_ms: requestAt,
            first_request_input_tokens: thread.firstTokens?.input,
            first_request_cache_read_input_tokens: thread.firstTokens?.cacheRead,
          }),
        });
  return {
    ...result,
    num_turns: 1 + thread.userMessages,
    stop_reason: ended.stopReason,
    total_cost_usd: ledger.costUsd,
    duration_api_ms: ledger.apiMs,
    usage: thread.usage.report(),
    modelUsage: ledger.byModel(),
    model_usage_since_last_result: ledger.sinceLastResult(),
    permission_denials: [...session.denials],
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    subagent_stats: session.subagentStats.report(),
    safety_stops: session.safetyStops,
    ...(origin === undefined ? {} : { origin }),
    ...times,
  };
}

type Outcome = Pick<
  TurnResult,
  "subtype" | "is_error" | "result" | "errors" | "terminal_reason" | "structured_output"
> &
  JsonObject;

function createOutcome({ text, reason, structuredOutput }: ConversationEnd): Outcome {
  return {
    subtype: "success",
    is_error: false,
    api_error_status: null,
    result: text,
    terminal_reason: reason,
    ...(structuredOutput ? { structured_output: structuredOutput.value } : {}),
  };
}

/** The fields of a result that is an error. */
export function createErrorFields(
  subtype: TurnResult["subtype"],
  error: string,
  terminal_reason: string,
): Outcome {
  return { subtype, is_error: true, errors: [error], terminal_reason };
}

function outcome(ended: ConversationEnd, session: Session): Outcome {
  const { options } = session.context;
  switch (ended.reason) {
    case "completed":
    case "hook_stopped":
    case "stop_hook_prevented":
      return createOutcome(ended);
    case "tool_deferred":
    case "tool_deferred_unavailable":
      return {
        subtype: "success",
        is_error: ended.reason !== "tool_deferred",
        result: ended.text,
        terminal_reason: ended.reason,
        deferred_tool_use: ended.deferred,
      };
    case "api_error":
      return {
        subtype: "success",
        is_error: true,
        api_error_status: ended.failure?.status ?? null,
        ...(ended.failure?.type === undefined ? {} : { api_error_type: ended.failure.type }),
        ...(ended.failure && apiErrorName(ended.failure)),
        result: ended.text,
        terminal_reason: terminalReason(ended.failure),
      };
    case "max_turns":
      return createErrorFields(
        "error_max_turns",
        `Reached maximum number of turns (${options.maxTurns})`,
        "max_turns",
      );
    case "budget_exhausted":
      return createErrorFields(
        "error_max_budget_usd",
        `Reached maximum budget ($${options.maxBudgetUsd})`,
        "budget_exhausted",
      );
    case "structured_output_retries":
      return createErrorFields(
        "error_max_structured_output_retries",
        `Failed to provide valid structured output after 5 attempts — last StructuredOutput error: ${ended.text}`,
        "structured_output_retry_exhausted",
      );
    case "aborted_streaming":
    case "aborted_tools": {
      if (ended.madeWay) return createOutcome(ended);
      const stop = ended.stopReason === null ? "null" : ended.stopReason;
      const error = `[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=${stop}`;
      return createErrorFields("error_during_execution", error, ended.reason);
    }
    default:
      return ended.reason satisfies never;
  }
}

/** Without the fields that have no value. */
export function omitUndefined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>;
}
