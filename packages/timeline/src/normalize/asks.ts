import type { ControlAnswer } from "@signalbox/protocol/wire";
import { type Lane, MAIN, type TimelineEvent } from "../event.ts";
import { describeCall, toolTitle } from "../tools/index.ts";
import type { Draft } from "./draft.ts";
import { list, object, present, text } from "./fields.ts";
import { changeMode } from "./settings.ts";
import type { NormalizeState, OpenAsk } from "./state.ts";
import { decideTool, openTool } from "./tools.ts";

/** The asks that wait for a person. */

type PermissionAsked = Extract<TimelineEvent, { type: "permission-asked" }>;
type Request = { readonly subtype: string; readonly [field: string]: unknown };

/**
 * Answered asks are kept for a while, because the log tells who answered after it tells what was
 * answered.
 */
const MAX_ANSWERED = 8;

export function findAsk(state: NormalizeState, requestId: string): OpenAsk | undefined {
  for (const ask of state.asks) if (ask.requestId === requestId) return ask;
  return undefined;
}

export function openAsk(draft: Draft, event: PermissionAsked): void {
  const { state } = draft;
  const { requestId, lane, callId = null } = event;
  const others = state.asks.filter((ask) => ask.requestId !== requestId);
  state.asks = [...others, { requestId, lane, callId, behavior: null }];
  draft.emit(event);
  // The call may be done with another input than the one it was made with: a full path, or the
  // input of a hook.
  const { tool, input } = event;
  if (tool === undefined || Object.keys(object(input)).length === 0) return;
  const { news } = decideTool(draft, callId, { denied: null, input });
  if (news) draft.emit(news);
}

/** Reads a request of the agent as an ask; undefined if it is not one. */
export function readAsk(
  state: NormalizeState,
  requestId: string,
  request: Request,
): PermissionAsked | undefined {
  const kind = toAskKind(request);
  if (!kind) return undefined;
  const tool = text(request["tool_name"]);
  const callId = text(request["tool_use_id"]);
  const input = request["input"] ?? request["payload"] ?? request["requested_schema"] ?? {};
  return present({
    type: "permission-asked" as const,
    requestId,
    kind,
    lane: findLane(state, callId),
    tool,
    callId,
    agentId: text(request["agent_id"]),
    title:
      text(request["title"]) ??
      (tool === undefined ? undefined : toolTitle(tool, describeCall(tool, input))) ??
      text(request["message"]) ??
      kind,
    description: text(request["description"]),
    blockedPath: text(request["blocked_path"]) ?? text(request["blocked_paths"]),
    input,
    suggestions: list(request["permission_suggestions"]),
    reason: text(request["decision_reason"]),
  });
}

function toAskKind(request: Request): PermissionAsked["kind"] | undefined {
  if (request.subtype === "elicitation") return "elicitation";
  if (request.subtype === "request_user_dialog") return "dialog";
  if (request.subtype !== "can_use_tool") return undefined;
  if (request["tool_name"] === "AskUserQuestion") return "question";
  return request["tool_name"] === "ExitPlanMode" ? "plan" : "permission";
}

/** The lane of the call that needs the permission. */
export function findLane(state: NormalizeState, callId: string | undefined): Lane {
  return (callId !== undefined && openTool(state, callId)?.lane) || MAIN;
}

/** The host answers an open ask. */
export function answerAsk(draft: Draft, ask: OpenAsk, answer: ControlAnswer): void {
  const value = answer.ok ? object(answer.value) : { behavior: "error", message: answer.error };
  const behavior = text(value["behavior"]) ?? text(value["action"]) ?? "answered";
  const input = behavior === "allow" ? value["updatedInput"] : undefined;
  const granted = list(value["updatedPermissions"]);
  settleAsk(draft, ask, {
    behavior,
    message: text(value["message"]),
    interrupt: behavior === "deny" && value["interrupt"] === true ? true : undefined,
    input,
    granted: granted.length > 0 ? granted : undefined,
  });
}

interface AskOutcome {
  readonly behavior: string;
  readonly message?: string | undefined;
  readonly interrupt?: true | undefined;
  readonly input?: unknown;
  readonly granted?: readonly unknown[] | undefined;
  readonly by?: string | undefined;
}

export function settleAsk(draft: Draft, ask: OpenAsk, outcome: AskOutcome): void {
  const { state } = draft;
  const { requestId, callId } = ask;
  const denied = outcome.behavior === "deny" ? (outcome.message ?? "") : null;
  const { edited, news } = decideTool(draft, callId, { denied, input: outcome.input });
  const input = edited ? outcome.input : undefined;
  draft.emit(present({ type: "permission-answered" as const, requestId, ...outcome, input }));
  if (news) draft.emit(news);
  if (outcome.behavior === "allow") grantMode(draft, outcome.granted ?? []);
  const others = state.asks.filter((other) => other.requestId !== requestId);
  const answered = others.filter((other) => other.behavior !== null);
  const [oldest] = answered;
  const recentAsks = answered.length < MAX_ANSWERED ? others : others.filter((o) => o !== oldest);
  state.asks = [...recentAsks, { ...ask, behavior: outcome.behavior }];
}

/** A mode that is granted with an answer applies at once. Older versions report it a turn later. */
function grantMode(draft: Draft, granted: readonly unknown[]): void {
  for (const update of granted.map(object)) {
    if (update["type"] === "setMode") changeMode(draft, text(update["mode"]));
  }
}
