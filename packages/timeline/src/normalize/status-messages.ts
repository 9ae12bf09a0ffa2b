import type { Message } from "@signalbox/protocol";
import type { TimelineEvent } from "../event.ts";
import { number, present, text } from "./fields.ts";

/** Messages with a type of their own that report the status of the session. */
export function toStatusEvent(message: Message): TimelineEvent | undefined {
  switch (message.type) {
    case "tool_progress":
      return {
        type: "tool-progressed",
        callId: message.tool_use_id,
        elapsedSeconds: message.elapsed_time_seconds,
      };
    case "tool_use_summary":
      return {
        type: "tool-summed-up",
        callIds: message.preceding_tool_use_ids ?? [],
        summary: message.summary,
      };
    case "rate_limit_event": {
      const info = message.rate_limit_info;
      return {
        type: "rate-limited",
        status: info.status ?? "unknown",
        message: rateLimitText(info),
        info,
      };
    }
    case "rate_limit":
      return { type: "rate-limited", status: "limited", message: message.message ?? "" };
    case "auth_status":
      return present({
        type: "auth-changed" as const,
        authenticating: message.isAuthenticating ?? false,
        error: message.error,
        output: message.output ?? [],
      });
    case "prompt_suggestion":
      return { type: "prompt-suggested", suggestion: message.suggestion };
    case "conversation_reset":
      return present({
        type: "conversation-reset" as const,
        conversationId: message.new_conversation_id,
      });
    case "active_goal":
      return { type: "notice", level: "info", text: `goal: ${message.value?.condition ?? "none"}` };
    case "status":
      return { type: "notice", level: "info", text: message.text };
    default:
      return undefined;
  }
}

const limits: Record<string, string> = {
  five_hour: "5-hour limit",
  seven_day: "weekly limit",
  seven_day_opus: "weekly limit of Opus",
  seven_day_sonnet: "weekly limit of Sonnet",
};

function rateLimitText(info: Record<string, unknown>): string {
  const reset = number(info["resetsAt"]);
  const kind = text(info["rateLimitType"]);
  const limitName =
    kind === undefined ? undefined : Object.hasOwn(limits, kind) ? limits[kind] : kind;
  return [limitName, reset === undefined ? undefined : `resets at ${timeText(reset)}`]
    .filter(Boolean)
    .join(", ");
}

function timeText(seconds: number): string {
  const at = new Date(seconds * 1000);
  if (Number.isNaN(at.getTime())) return String(seconds);
  return `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
