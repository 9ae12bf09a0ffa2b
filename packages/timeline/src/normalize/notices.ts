import type { SystemMessage } from "@signalbox/protocol";
import type { ActivitySource, TimelineEvent } from "../event.ts";
import { list, number, object, present, text } from "./fields.ts";

/** Messages that have no effect on later lines. */
export function otherEvent(message: SystemMessage): TimelineEvent {
  switch (message.subtype) {
    case "api_retry":
      return present({
        type: "retry-scheduled" as const,
        attempt: message.attempt,
        maxRetries: message.max_retries,
        delayMs: message.retry_delay_ms,
        status: message.error_status ?? undefined,
        error: text(message["error"]),
      });
    case "model_refusal_fallback":
    case "model_refusal_no_fallback":
      return present({
        type: "model-refused" as const,
        model: message.original_model,
        fallback: text(message["fallback_model"]),
        message: message.content ?? "",
      });
    case "hook_started":
    case "hook_progress":
    case "hook_response":
      return hookEvent(message);
    case "plugin_install": {
      const { status, name, error } = message;
      return present({ type: "plugin-moved" as const, status, name, error });
    }
    case "files_persisted": {
      const names = (value: unknown) => list(value).map((file) => String(object(file)["filename"]));
      return {
        type: "files-persisted",
        files: names(message.files),
        failed: names(message.failed),
      };
    }
    case "commands_changed": {
      const commands = message.commands.map((command) =>
        present({ name: command.name, description: text(command["description"]) }),
      );
      return { type: "commands-available", commands };
    }
    case "permission_denied":
      return present({
        type: "permission-denied" as const,
        tool: message.tool_name,
        callId: message.tool_use_id,
        message: message.message ?? "",
      });
    case "session_state_changed":
      return present({
        type: "session-state-changed" as const,
        state: message.state,
        source: readSource(message["activity_source"]),
      });
    case "local_command_output":
      return { type: "command-printed", text: message.content };
    case "thinking_tokens":
      return { type: "thinking-estimated", tokens: message.estimated_tokens };
    case "informational":
      return { type: "notice", level: message.level ?? "info", text: message.content };
    case "notification":
      return { type: "notice", level: readLevel(message), text: message.text };
    default:
      return { type: "notice", level: "info", text: `${message.subtype}: ${noticeText(message)}` };
  }
}

function hookEvent(
  message: SystemMessage<"hook_started" | "hook_progress" | "hook_response">,
): TimelineEvent {
  const states = {
    hook_started: "started",
    hook_progress: "progress",
    hook_response: "ended",
  } as const;
  const exitCode = number(message["exit_code"]);
  return present({
    type: "hook-moved" as const,
    state: states[message.subtype],
    hookId: message.hook_id,
    name: message.hook_name,
    event: message.hook_event,
    output:
      nonEmptyText(message["output"]) ??
      nonEmptyText(message["stdout"]) ??
      nonEmptyText(message["stderr"]),
    outcome: text(message["outcome"]) ?? readOutcome(exitCode),
    exitCode,
  });
}

function nonEmptyText(value: unknown): string | undefined {
  return text(value) || undefined;
}

/** 2.1.7 reports the outcome in no other field. */
function readOutcome(exitCode: number | undefined): string | undefined {
  if (exitCode === undefined) return undefined;
  return exitCode === 0 ? "success" : "error";
}

/** The hook itself reports its failure; this message only names a setting of another program. */
function readLevel(message: SystemMessage<"notification">): string {
  return message["key"] === "stop-hook-error" ? "aside" : "info";
}

function noticeText(message: SystemMessage): string {
  const {
    type: _,
    subtype: __,
    uuid: ___,
    session_id: ____,
    ...rest
  } = message as Record<string, unknown>;
  return JSON.stringify(rest);
}

function readSource(value: unknown): ActivitySource | undefined {
  return value === "hooks" || value === "transcript" || value === "screen" ? value : undefined;
}
