import { type Message, permissionMode, type SystemMessage } from "@signalbox/protocol";
import type { TimelineEvent } from "../event.ts";
import { list, number, object, present, text } from "./fields.ts";
import { isRecent, type NormalizeState, remember } from "./state.ts";
import { type Step, step, andThen } from "./step.ts";
import { endLane } from "./tools.ts";
import { beginTurn } from "./turns.ts";

/** What the agent says about itself and what goes on around the conversation. */
export function onSystem(before: NormalizeState, message: SystemMessage): Step {
  const told = /^(?:task_|hook_|compact_)/.test(message.subtype);
  if (told && isRecent(before, message.uuid)) {
    return step(before, { type: "message-repeated", uuid: message.uuid ?? "" });
  }
  const state = told ? { ...before, recent: remember(before, message.uuid) } : before;
  switch (message.subtype) {
    case "init":
      return onInit(state, message);
    case "status":
      return onStatus(state, message);
    case "compact_boundary":
      return onCompacted(state, message);
    case "task_started":
    case "task_progress":
    case "task_updated":
      return step(state, taskEvent(message));
    case "task_notification":
      return andThen(step(state, taskEvent(message)), (next) =>
        endLane(next, message.tool_use_id ?? ""),
      );
    case "background_tasks_changed":
      return onTasks(state, message);
    default:
      return step(state, otherEvent(message));
  }
}

function onInit(before: NormalizeState, init: SystemMessage<"init">): Step {
  return andThen(beginTurn(before), (state) => {
    const mode = permissionMode(init);
    const { model, session_id: sessionId } = init;
    const servers = init.mcp_servers ?? [];
    const mcp = JSON.stringify(servers);
    const next: NormalizeState = {
      ...state,
      fresh: false,
      sessionId,
      mcp,
      ...(model !== undefined && { model }),
      ...(mode !== undefined && { mode }),
    };
    const commands = (init.slash_commands ?? []).map((name) => ({ name }));
    const started: TimelineEvent = present({
      type: "session-started" as const,
      status: before.sessionId === sessionId ? ("resumed" as const) : ("new" as const),
      sessionId,
      model,
      mode,
      version: init.claude_code_version,
      cwd: init.cwd,
      tools: init.tools ?? [],
      mcpServers: servers,
    });
    const news: TimelineEvent[] = [];
    if (before.fresh || before.sessionId !== sessionId) {
      news.push(started, { type: "commands-available", commands });
    } else if (state.mcp !== mcp) {
      news.push({ type: "mcp-changed", servers });
    }
    if (mode !== undefined && state.mode !== undefined && mode !== state.mode) {
      news.push({ type: "mode-changed", mode });
    }
    if (model !== undefined && state.model !== undefined && model !== state.model) {
      news.push({ type: "model-changed", model });
    }
    // Within a turn that has begun already it may tell nothing new.
    if (news.length === 0) news.push({ type: "control-passed", from: "agent", what: "init" });
    return step(next, ...news);
  });
}

function onStatus(state: NormalizeState, message: SystemMessage<"status">): Step {
  const mode = message.permissionMode;
  const moded: TimelineEvent[] =
    mode !== undefined && mode !== state.mode ? [{ type: "mode-changed", mode }] : [];
  const withMode = mode === undefined ? state : { ...state, mode };
  if (message.status === "compacting") {
    return step({ ...withMode, compacting: true }, ...moded, { type: "compaction-started" });
  }
  const failed =
    message.compact_error === undefined
      ? []
      : [{ type: "compaction-ended" as const, error: message.compact_error }];
  const changed = { type: "status-changed" as const, status: message.status ?? null };
  return step({ ...withMode, compacting: false }, ...moded, ...failed, changed);
}

function onCompacted(state: NormalizeState, message: SystemMessage<"compact_boundary">): Step {
  const { trigger, pre_tokens: tokensBefore } = message.compact_metadata ?? {};
  const { usage: _, ...rest } = state;
  return step(
    { ...rest, compacting: false, compacted: true },
    present({ type: "compaction-ended" as const, trigger, tokensBefore }),
  );
}

function onTasks(state: NormalizeState, message: SystemMessage<"background_tasks_changed">): Step {
  const tasks = message.tasks.map((task) =>
    present({
      taskId: task.task_id,
      description: text(task["description"]),
      kind: text(task["task_type"]),
    }),
  );
  const next = { ...state, tasks: tasks.map(({ taskId }) => taskId) };
  return step(next, { type: "tasks-changed", tasks });
}

const taskStates = {
  task_started: "started",
  task_progress: "progress",
  task_updated: "updated",
  task_notification: "notified",
} as const;

function taskEvent(message: SystemMessage<keyof typeof taskStates>): TimelineEvent {
  const patch = object(message["patch"]);
  return present({
    type: "task-moved" as const,
    state: taskStates[message.subtype],
    taskId: message.task_id,
    runId: message.run_id,
    callId: message.tool_use_id,
    description: text(message["description"]) ?? text(patch["description"]),
    status: text(message["status"]) ?? text(patch["status"]),
    summary: text(message["summary"]),
  });
}

/** The rest change nothing that later lines depend on. */
function otherEvent(message: SystemMessage): TimelineEvent {
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
      return { type: "session-state-changed", state: message.state };
    case "local_command_output":
      return { type: "command-printed", text: message.content };
    case "thinking_tokens":
      return { type: "thinking-estimated", tokens: message.estimated_tokens };
    case "informational":
      return { type: "notice", level: message.level ?? "info", text: message.content };
    case "notification":
      return { type: "notice", level: message.priority ?? "info", text: message.text };
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
  return present({
    type: "hook-moved" as const,
    state: states[message.subtype],
    hookId: message.hook_id,
    name: message.hook_name,
    event: message.hook_event,
    output: text(message["output"]),
    outcome: text(message["outcome"]),
  });
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

/** Messages with a type of their own that stand beside the conversation. */
export function besideEvent(message: Message): TimelineEvent | undefined {
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
    case "command_lifecycle":
      return { type: "command-moved", uuid: message.command_uuid, state: message.state };
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

function rateLimitText(info: Record<string, unknown>): string {
  const reset = number(info["resetsAt"]);
  const kind = text(info["rateLimitType"]);
  return [kind, reset === undefined ? undefined : `resets at ${reset}`].filter(Boolean).join(", ");
}
