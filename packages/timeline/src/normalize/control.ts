import { type Message, readAnswer } from "@signalbox/protocol";
import { type Lane, MAIN, type TimelineEvent } from "../event.ts";
import { list, object, own, present, text } from "./fields.ts";
import { type NormalizeState, without } from "./state.ts";
import { andThen, type Step, step } from "./step.ts";
import { onRunEnd } from "./turns.ts";

/** Requests, from either side. What waits for a person is an ask; the rest passes. */
export function onRequest(
  state: NormalizeState,
  message: Message<"control_request">,
  from: "agent" | "host",
): Step {
  const { request, request_id: requestId } = message;
  const passed: TimelineEvent = present({
    type: "control-passed" as const,
    from,
    what: request.subtype,
    requestId,
  });
  if (from === "host") {
    if (request.subtype === "interrupt")
      return step({ ...state, interrupted: state.inTurn }, passed);
    const begins = request.subtype === "initialize" && requestId !== undefined;
    return step(begins ? { ...state, initializing: requestId } : state, passed);
  }
  const kind = askKind(request);
  if (!kind || requestId === undefined) return step(state, passed);
  const tool = text(request["tool_name"]);
  const callId = text(request["tool_use_id"]);
  const asked = present({
    type: "permission-asked" as const,
    requestId,
    kind,
    lane: laneOfCall(state, callId),
    tool,
    callId,
    agentId: text(request["agent_id"]),
    title:
      text(request["title"]) ??
      text(request["display_name"]) ??
      tool ??
      text(request["message"]) ??
      kind,
    input: request["input"] ?? request["payload"] ?? request["requested_schema"] ?? {},
    suggestions: list(request["permission_suggestions"]),
    reason: text(request["decision_reason"]),
  });
  return step({ ...state, asks: { ...state.asks, [requestId]: asked.lane } }, asked);
}

type AskKind = Extract<TimelineEvent, { type: "permission-asked" }>["kind"];

function askKind(request: { subtype: string; [field: string]: unknown }): AskKind | undefined {
  if (request.subtype === "elicitation") return "elicitation";
  if (request.subtype === "request_user_dialog") return "dialog";
  if (request.subtype !== "can_use_tool") return undefined;
  if (request["tool_name"] === "AskUserQuestion") return "question";
  return request["tool_name"] === "ExitPlanMode" ? "plan" : "permission";
}

/** Who asks: the lane of the call that needs it. */
function laneOfCall(state: NormalizeState, callId: string | undefined): Lane {
  return (callId !== undefined && own(state.tools, callId)?.lane) || MAIN;
}

export function onAnswer(
  state: NormalizeState,
  message: Message<"control_response">,
  from: "agent" | "host",
): Step {
  const answer = readAnswer(message);
  const requestId = answer?.requestId;
  if (answer && requestId !== undefined && Object.hasOwn(state.asks, requestId)) {
    const value = answer.ok ? object(answer.value) : { behavior: "error", message: answer.error };
    const answered = present({
      type: "permission-answered" as const,
      requestId,
      behavior: text(value["behavior"]) ?? text(value["action"]) ?? "answered",
      message: text(value["message"]),
    });
    return step({ ...state, asks: without(state.asks, requestId) }, answered);
  }
  const what = answer && !answer.ok ? `refused: ${answer.error}` : "answer";
  const passed = present({ type: "control-passed" as const, from, what, requestId });
  const begun = answer?.ok === true && from === "agent" && requestId === state.initializing;
  if (!begun) return step(state, passed);
  return andThen(step(state, passed), (next) => onRunBegin(next, object(answer.value)));
}

/** An agent answers `initialize` once in its life: whatever was open belongs to one that is gone. */
function onRunBegin(state: NormalizeState, value: Record<string, unknown>): Step {
  const open =
    state.inTurn || Object.keys(state.tools).length > 0 || Object.keys(state.asks).length > 0;
  const before = open ? onRunEnd(state, "crashed", "The agent left without a word.") : step(state);
  return andThen(before, (settled) => {
    const { over: _, initializing: __, ...rest } = settled;
    const commands = list(value["commands"])
      .map(object)
      .map((command) =>
        present({ name: text(command["name"]) ?? "", description: text(command["description"]) }),
      );
    const next = { ...rest, fresh: true, started: true, promptWaits: state.promptWaits };
    return step(next, { type: "commands-available", commands });
  });
}

export function onCancel(state: NormalizeState, requestId: string): Step {
  const asks = without(state.asks, requestId);
  return step({ ...state, asks }, { type: "permission-cancelled", requestId });
}
