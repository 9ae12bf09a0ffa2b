import type { Decoded, Message } from "@signalbox/protocol";
import type { TimelineEvent } from "../event.ts";
import { onAnswer, onCancel, onRequest } from "./control.ts";
import { object, text } from "./fields.ts";
import { onAssistant, onUser } from "./speech.ts";
import { activityOf, type LogLine, type NormalizeState } from "./state.ts";
import { type Step, step, andThen } from "./step.ts";
import { onStreamEvent } from "./streaming.ts";
import { besideEvent, onSystem } from "./system.ts";
import { onResult, onRunEnd } from "./turns.ts";

/**
 * What a line of the log means, given what came before. Every line but `keep_alive` makes at least
 * one event; what the session is doing is told whenever it changes.
 */
export function normalize(state: NormalizeState, { from, line }: LogLine): Step {
  if (line.kind === "known" && line.message.type === "stream_event") {
    const streamed = onStreamEvent(state, line.message);
    return streamed.state === state || streamed.state.inTurn === state.inTurn
      ? streamed
      : withActivity(streamed);
  }
  return withActivity(
    line.kind === "known" && from !== "keeper"
      ? onMessage(state, line.message, from)
      : onOpaque(state, line),
  );
}

function withActivity(made: Step): Step {
  const activity = activityOf(made.state);
  if (activity === made.state.activity) return made;
  const changed: TimelineEvent = { type: "activity-changed", activity };
  return { state: { ...made.state, activity }, events: [...made.events, changed] };
}

function onMessage(state: NormalizeState, message: Message, from: "agent" | "host"): Step {
  switch (message.type) {
    case "keep_alive":
      return step(state);
    case "stream_event":
      return onStreamEvent(state, message);
    case "assistant":
      return onAssistant(state, message);
    case "user":
      return onUser(state, message, from);
    case "result":
      return onResult(state, message);
    case "system":
      return onSystem(state, message);
    case "control_request":
      return onRequest(state, message, from);
    case "control_response":
      return onAnswer(state, message, from);
    case "control_cancel_request":
      return onCancel(state, message.request_id);
    default: {
      const event = besideEvent(message);
      return step(state, event ?? { type: "control-passed", from, what: message.type });
    }
  }
}

/** What we do not know is passed on whole. Lines of the hub's own are among it: `signalbox/run_ended`. */
function onOpaque(state: NormalizeState, line: Decoded): Step {
  if (line.kind === "known") return step(state);
  if (
    line.kind === "unknown" &&
    line.type === "signalbox" &&
    line.body["subtype"] === "run_ended"
  ) {
    const status = line.body["status"];
    const known = status === "parked" || status === "crashed" ? status : "ended";
    return onRunEnd(state, known, text(object(line.body)["said"]));
  }
  const name = line.kind === "noise" ? "noise" : line.type;
  const why = line.kind === "unknown" ? {} : { why: line.why };
  const opaque = step(state, {
    type: "opaque-received",
    kind: line.kind,
    name,
    ...why,
    raw: line.raw,
  });
  if (line.kind !== "drifted" || line.type !== "result") return opaque;
  // Whatever shape it has, it ends the turn: nothing must seem to run for ever.
  return andThen(opaque, (next) =>
    onResult(next, { type: "result", is_error: line.body["is_error"] === true }),
  );
}
