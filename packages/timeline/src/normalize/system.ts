import { readPermissionMode, type SystemMessage } from "@signalbox/protocol";
import { setContext } from "./context.ts";
import type { Draft } from "./draft.ts";
import { number, object, present } from "./fields.ts";
import { isRepeated } from "./recent-messages.ts";
import { otherEvent } from "./notices.ts";
import { promptKey } from "./prompts.ts";
import { changeMode, changeModel } from "./settings.ts";
import { onTask, onTasks } from "./tasks.ts";
import { decideTool } from "./tools.ts";
import { beginTurn } from "./turns.ts";

/** Messages in which the agent reports about itself and the session. */
export function onSystem(draft: Draft, message: SystemMessage): void {
  // These come with nearly every message of the model, and none is worth remembering.
  if (message.subtype !== "thinking_tokens" && isRepeated(draft, message.uuid, message)) return;
  switch (message.subtype) {
    case "init":
      return onInit(draft, message);
    case "status":
      return onStatus(draft, message);
    case "compact_boundary":
      return onCompacted(draft, message);
    case "task_started":
    case "task_progress":
    case "task_updated":
    case "task_notification":
      return onTask(draft, message);
    case "background_tasks_changed":
      return onTasks(draft, message);
    case "local_command_output":
      draft.state.printed = promptKey(message.content.trim());
      return draft.emit(otherEvent(message));
    case "permission_denied":
      decideTool(draft, message.tool_use_id ?? null, { denied: "", input: undefined });
      return draft.emit(otherEvent(message));
    default:
      return draft.emit(otherEvent(message));
  }
}

function onInit(draft: Draft, init: SystemMessage<"init">): void {
  const eventCount = draft.events.length;
  beginTurn(draft);
  const { state } = draft;
  const { session_id: sessionId, cwd } = init;
  const servers = init.mcp_servers ?? [];
  const mcp = JSON.stringify(servers);
  const isSameSession = state.sessionId === sessionId;
  if (state.fresh || !isSameSession) {
    emitSession(draft, init, isSameSession);
  } else {
    if (state.mcp !== mcp) draft.emit({ type: "mcp-changed", servers });
    if (cwd !== undefined && cwd !== state.cwd) draft.emit({ type: "folder-changed", cwd });
  }
  changeMode(draft, readPermissionMode(init));
  if (init.model !== undefined) changeModel(draft, init.model);
  state.fresh = false;
  state.sessionId = sessionId;
  state.mcp = mcp;
  if (cwd !== undefined) state.cwd = cwd;
  // Within a turn that has already begun it may report nothing new.
  if (draft.events.length === eventCount) {
    draft.emit({ type: "control-passed", from: "agent", what: "init" });
  }
}

function emitSession(draft: Draft, init: SystemMessage<"init">, isSameSession: boolean): void {
  const { state } = draft;
  draft.emit(
    present({
      type: "session-started" as const,
      status: state.told ?? (isSameSession ? "resumed" : "new"),
      sessionId: init.session_id,
      model: init.model,
      mode: readPermissionMode(init),
      version: init.claude_code_version,
      cwd: init.cwd,
      tools: init.tools ?? [],
      mcpServers: init.mcp_servers ?? [],
    }),
  );
  state.told = null;
  // The answer to `initialize` has more details about the commands.
  if (state.commandsTold) return;
  const commands = (init.slash_commands ?? []).map((name) => ({ name }));
  draft.emit({ type: "commands-available", commands });
}

function onStatus(draft: Draft, message: SystemMessage<"status">): void {
  const { state } = draft;
  changeMode(draft, message.permissionMode);
  const before = state.compacting;
  state.compacting = message.status === "compacting";
  // The agent reports a long compaction several times.
  if (state.compacting && !before) return draft.emit({ type: "compaction-started" });
  const { compact_error: reason, compact_result: result } = message;
  const error = reason ?? (result === "failed" ? "The conversation was not compacted." : undefined);
  if (error !== undefined) draft.emit({ type: "compaction-ended", error });
  draft.emit({ type: "status-changed", status: message.status ?? null });
}

function onCompacted(draft: Draft, message: SystemMessage<"compact_boundary">): void {
  const { state } = draft;
  const about = object(message.compact_metadata);
  const { trigger, pre_tokens: tokensBefore } = message.compact_metadata ?? {};
  const tokensAfter = number(about["post_tokens"]);
  state.compacting = false;
  state.compacted = true;
  draft.emit(present({ type: "compaction-ended" as const, trigger, tokensBefore, tokensAfter }));
  setContext(draft, tokensAfter ?? null);
}
