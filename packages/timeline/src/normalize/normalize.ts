import type { Decoded, JsonObject, Message } from "@signalbox/protocol";
import type { TimelineEvent } from "../event.ts";
import { toStatusEvent } from "./status-messages.ts";
import { onAnswer, onCancel, onRequest } from "./control.ts";
import { Draft } from "./draft.ts";
import { text } from "./fields.ts";
import { isRepeated } from "./recent-messages.ts";
import { onLogMarker } from "./log-markers.ts";
import { onLifecycle } from "./prompts.ts";
import { onAssistant } from "./assistant.ts";
import { findActivity, type LogLine, type NormalizeState } from "./state.ts";
import { onStreamEvent } from "./streaming.ts";
import { onSystem } from "./system.ts";
import { onResult } from "./turns.ts";
import { onUser } from "./user.ts";

/** The result of a line: the new state, and the events. */
interface NormalizeStep {
  readonly state: NormalizeState;
  readonly events: readonly TimelineEvent[];
}

/**
 * Interprets a line of the log, given the state before it. Every line except `keep_alive` makes at
 * least one event. The state of the session is reported whenever it changes.
 */
export function normalize(before: NormalizeState, { from, line }: LogLine): NormalizeStep {
  const draft = new Draft(before);
  if (from === "keeper") onLogMarker(draft, line);
  else if (line.kind === "known") onMessage(draft, line.message, from);
  else onOpaque(draft, line);
  emitActivity(draft);
  return draft;
}

function emitActivity(draft: Draft): void {
  const activity = findActivity(draft.state);
  if (activity === draft.state.activity) return;
  draft.state.activity = activity;
  draft.emit({ type: "activity-changed", activity });
}

function onMessage(draft: Draft, message: Message, from: "agent" | "host"): void {
  switch (message.type) {
    case "keep_alive":
      return;
    case "stream_event":
      return onStreamEvent(draft, message);
    case "assistant":
      return onAssistant(draft, message);
    case "user":
      return onUser(draft, message, from);
    case "result":
      return onResult(draft, message);
    case "system":
      return onSystem(draft, message);
    case "transcript_entry":
      return onTranscriptEntry(draft, message.entry);
    case "command_lifecycle":
      return onLifecycle(draft, message.command_uuid, message.state);
    case "control_request":
      return onRequest(draft, message, from);
    case "control_response":
      return onAnswer(draft, message, from);
    case "control_cancel_request":
      return onCancel(draft, message.request_id);
    default: {
      // The agent reports the running time of a tool again and again, so no event is needed.
      if (message.type !== "tool_progress" && isRepeated(draft, readUuid(message), message)) return;
      const event = toStatusEvent(message);
      return draft.emit(event ?? { type: "control-passed", from, what: message.type });
    }
  }
}

/** Bookkeeping of Claude Code: only the title that it or a person gave the session is of interest. */
function onTranscriptEntry(draft: Draft, entry: JsonObject): void {
  const { type, customTitle, aiTitle, summary } = entry;
  const title =
    text(customTitle) ?? text(aiTitle) ?? (type === "summary" ? text(summary) : undefined);
  if (title) return draft.emit({ type: "session-titled", title });
  draft.emit({ type: "control-passed", from: "agent", what: `transcript/${String(type)}` });
}

function readUuid(message: Message): string | undefined {
  return text((message as { readonly uuid?: unknown }).uuid);
}

/** Unknown lines are passed on whole. */
function onOpaque(draft: Draft, line: Exclude<Decoded, { kind: "known" }>): void {
  const { kind, raw } = line;
  const name = kind === "noise" ? "noise" : line.type;
  const why = kind === "unknown" ? {} : { why: line.why };
  draft.emit({ type: "opaque-received", kind, name, ...why, raw });
  // A result in any shape ends the turn: nothing must seem to run for ever.
  if (kind === "drifted" && line.type === "result") {
    onResult(draft, { type: "result", is_error: line.body["is_error"] === true });
  }
}
