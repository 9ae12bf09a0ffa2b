import type { Decoded, Message } from "@signalbox/protocol";
import type { TimelineEvent } from "../event.ts";
import { besideEvent } from "./beside.ts";
import { onAnswer, onCancel, onRequest } from "./control.ts";
import { Draft } from "./draft.ts";
import { text } from "./fields.ts";
import { isRepeated } from "./memory.ts";
import { onNote } from "./notes.ts";
import { onLifecycle } from "./prompts.ts";
import { onAssistant } from "./speech.ts";
import { activityOf, type LogLine, type NormalizeState } from "./state.ts";
import { onStreamEvent } from "./streaming.ts";
import { onSystem } from "./system.ts";
import { onResult } from "./turns.ts";
import { onUser } from "./user.ts";

/** What a line did: the state it leaves, and the events it made. */
export interface Step {
  readonly state: NormalizeState;
  readonly events: readonly TimelineEvent[];
}

/**
 * What a line of the log means, given what came before. Every line but `keep_alive` makes at least
 * one event; what the session is doing is told whenever it changes.
 */
export function normalize(before: NormalizeState, { from, line }: LogLine): Step {
  const draft = new Draft(before);
  if (from === "keeper") onNote(draft, line);
  else if (line.kind === "known") onMessage(draft, line.message, from);
  else onOpaque(draft, line);
  tellActivity(draft);
  return draft;
}

function tellActivity(draft: Draft): void {
  const activity = activityOf(draft.state);
  if (activity === draft.state.activity) return;
  draft.state.activity = activity;
  draft.tell({ type: "activity-changed", activity });
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
    case "command_lifecycle":
      return onLifecycle(draft, message.command_uuid, message.state);
    case "control_request":
      return onRequest(draft, message, from);
    case "control_response":
      return onAnswer(draft, message, from);
    case "control_cancel_request":
      return onCancel(draft, message.request_id);
    default: {
      // How long a tool has been running is told again and again anyway.
      if (message.type !== "tool_progress" && isRepeated(draft, uuidOf(message), message)) return;
      const event = besideEvent(message);
      return draft.tell(event ?? { type: "control-passed", from, what: message.type });
    }
  }
}

function uuidOf(message: Message): string | undefined {
  return text((message as { readonly uuid?: unknown }).uuid);
}

/** What we do not know is passed on whole. */
function onOpaque(draft: Draft, line: Exclude<Decoded, { kind: "known" }>): void {
  const { kind, raw } = line;
  const name = kind === "noise" ? "noise" : line.type;
  const why = kind === "unknown" ? {} : { why: line.why };
  draft.tell({ type: "opaque-received", kind, name, ...why, raw });
  // Whatever shape it has, it ends the turn: nothing must seem to run for ever.
  if (kind === "drifted" && line.type === "result") {
    onResult(draft, { type: "result", is_error: line.body["is_error"] === true });
  }
}
