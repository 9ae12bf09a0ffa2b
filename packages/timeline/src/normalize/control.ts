import type { Message } from "@signalbox/protocol";
import { readAnswer } from "@signalbox/protocol/wire";
import { answerAsk, findAsk, readAsk, openAsk } from "./asks.ts";
import type { Draft } from "./draft.ts";
import { list, object, present, text } from "./fields.ts";
import { appendBounded } from "./recent-messages.ts";
import { awaitRun, beginRun } from "./runs.ts";
import { changeMode, changeModel } from "./settings.ts";
import type { OpenRequest } from "./state.ts";
import { withdrawTool } from "./tools.ts";
import { cancelAsk } from "./cancelled-asks.ts";

/** How many host requests may wait for an answer that is shown. */
const MAX_REQUESTS = 16;
const shownAnswers = new Set(["initialize", "set_model", "set_permission_mode", "interrupt"]);

/**
 * Control requests from either side. A request that waits for a person is an ask; the others are
 * only mentioned.
 */
export function onRequest(
  draft: Draft,
  message: Message<"control_request">,
  from: "agent" | "host",
): void {
  const { request, request_id: requestId } = message;
  if (from === "agent" && requestId !== undefined) {
    const ask = readAsk(draft.state, requestId, request);
    // The runner or hub may have written this to the log already.
    if (ask && !findAsk(draft.state, requestId)) return openAsk(draft, ask);
  }
  if (from === "host") onHostRequest(draft, requestId, request);
  const { subtype } = request;
  draft.emit(present({ type: "control-passed" as const, from, what: subtype, requestId }));
}

function onHostRequest(
  draft: Draft,
  requestId: string | undefined,
  request: { readonly subtype: string; readonly [field: string]: unknown },
): void {
  const { state } = draft;
  const { subtype } = request;
  if (subtype === "initialize") awaitRun(draft);
  if (subtype === "interrupt") state.interrupted = state.inTurn;
  if (requestId === undefined || !shownAnswers.has(subtype)) return;
  const value = text(request["model"]) ?? text(request["mode"]) ?? null;
  state.requests = appendBounded(state.requests, { requestId, subtype, value }, MAX_REQUESTS);
}

export function onAnswer(
  draft: Draft,
  message: Message<"control_response">,
  from: "agent" | "host",
): void {
  const { state } = draft;
  const answer = readAnswer(message);
  const requestId = answer?.requestId;
  const ask = requestId === undefined ? undefined : findAsk(state, requestId);
  if (answer && ask?.behavior === null) return answerAsk(draft, ask, answer);
  const outcome = answer && !answer.ok ? `refused: ${answer.error}` : "answer";
  draft.emit(present({ type: "control-passed" as const, from, what: outcome, requestId }));
  if (from === "host") return;
  const request = state.requests.find((open) => open.requestId === requestId);
  state.requests = state.requests.filter((open) => open !== request);
  if (!answer?.ok) {
    if (request?.subtype === "interrupt") state.interrupted = false;
    if (request?.subtype === "initialize") state.started = true; // The mode or model was set before.
    return;
  }
  const value = object(answer.value);
  if (request) onHostAnswer(draft, request, value);
  else if (isGreeting(value)) onInitialized(draft, value);
}

/**
 * Fields that only the answer to `initialize` has, for a log that contains only the agent's lines.
 */
function isGreeting({ commands, models, account }: Record<string, unknown>): boolean {
  return Array.isArray(commands) && (Array.isArray(models) || account !== undefined);
}

function onInitialized(draft: Draft, value: Record<string, unknown>): void {
  beginRun(draft, "answer");
  const commands = list(value["commands"])
    .map(object)
    .map((command) =>
      present({ name: text(command["name"]) ?? "", description: text(command["description"]) }),
    );
  draft.state.commandsTold = commands.length > 0;
  draft.emit({ type: "commands-available", commands });
}

function onHostAnswer(draft: Draft, request: OpenRequest, value: Record<string, unknown>): void {
  switch (request.subtype) {
    case "initialize":
      return onInitialized(draft, value);
    case "set_model": {
      const model = text(value["model"]); // The requested model may be a short name of this one.
      return model === undefined ? undefined : changeModel(draft, model);
    }
    case "interrupt":
      return;
    default:
      return changeMode(draft, text(value["mode"]) ?? request.value ?? undefined);
  }
}

export function onCancel(draft: Draft, requestId: string): void {
  const ask = findAsk(draft.state, requestId);
  if (ask?.behavior === null) withdrawTool(draft, ask.callId);
  cancelAsk(draft, requestId);
}
