import type { BlockRef, ContentPart, Lane, TimelineEvent, ToolStatus } from "../event.ts";
import { MAIN } from "../event.ts";
import {
  isOnlyStopNotice,
  extractText,
  isRefusalNotice,
  isStopNotice,
} from "../tool-payload/content.ts";
import { describeCall, describeResult, type ToolPayload, toolTitle } from "../tools/index.ts";
import type { Draft } from "./draft.ts";
import { object, present, text } from "./fields.ts";
import { closeLane } from "./lanes.ts";
import { appendBounded } from "./recent-messages.ts";
import { changeMode } from "./settings.ts";
import type { NormalizeState, OpenTool, ToolOutcome } from "./state.ts";
import { endAwaitedTask, onLaunched, onTaskPolled } from "./tasks.ts";
import { cancelAsksOfCall } from "./cancelled-asks.ts";

/**
 * How many results may wait for their call: more than any agent runs at once. Beyond it the oldest
 * is shown as it is.
 */
const MAX_EARLY = 1000;
/** How many calls that were settled without a result may still get one. */
export const MAX_MISSED = 8;

export function openTool(state: NormalizeState, callId: string): OpenTool | undefined {
  for (const tool of state.tools) if (tool.callId === callId) return tool;
  return undefined;
}

export function onToolCall(
  draft: Draft,
  { lane, messageId, index, block: at }: BlockRef,
  block: { readonly [field: string]: unknown },
  uuid: string | undefined,
): void {
  const { state } = draft;
  const name = text(block["name"]) ?? "unnamed";
  const callId = text(block["id"]) ?? at;
  const payload = describeCall(name, block["input"]);
  const title = toolTitle(name, payload);
  endReused(draft, callId, at, payload);
  const type = "tool-called";
  const event = { type, lane, messageId, index, block: at, callId, name, title, payload } as const;
  if (uuid === undefined) draft.emit(event);
  else {
    const block = at; // Written out field by field: copying the event would cost as much as everything else.
    draft.emit({ type, lane, messageId, index, block, callId, name, title, payload, uuid });
  }
  const tool = { callId, lane, block: at, name, title, payload, denied: null, withdrawn: false };
  const early = state.early.find((result) => result.callId === callId);
  if (early) {
    state.early = state.early.filter((result) => result !== early);
    emitOutcome(draft, tool, early);
  } else {
    state.tools = [...without(state.tools, callId), tool];
    state.missed = without(state.missed, callId);
  }
}

function without(tools: readonly OpenTool[], callId: string): readonly OpenTool[] {
  return tools.length === 0 ? tools : tools.filter((other) => other.callId !== callId);
}

/** The id was given to another call, so nothing more can be reported about the first one. */
export function endReused(
  draft: Draft,
  callId: string,
  block: string,
  payload?: ToolPayload,
): void {
  const { state } = draft;
  const tool = openTool(state, callId);
  if (!tool) return;
  const same = payload && JSON.stringify(payload) === JSON.stringify(tool.payload);
  if (tool.block === block && same) return;
  state.tools = state.tools.filter((open) => open !== tool);
  emitUnsettled(draft, tool, "interrupted");
}

/** A block that contains a result, in whichever message. */
export function onResultBlock(
  draft: Draft,
  lane: Lane,
  part: ContentPart,
  structured: unknown,
  about?: unknown,
): void {
  const { permission_decision, non_execution_kind } = object(about);
  const refused =
    object(permission_decision)["decision"] === "reject" || non_execution_kind !== undefined;
  const isError = part["is_error"] === true;
  const outcome: ToolOutcome = {
    content: part["content"] ?? null,
    structured,
    isError,
    denied: refused && isError,
  };
  onToolResult(draft, lane, text(part["tool_use_id"]), outcome);
}

/** A result settles its call. A result without an id settles the oldest open call of its lane. */
function onToolResult(
  draft: Draft,
  lane: Lane,
  named: string | undefined,
  outcome: ToolOutcome,
): void {
  const { state } = draft;
  const tool =
    named === undefined
      ? state.tools.find((open) => open.lane === lane)
      : (openTool(state, named) ?? state.missed.find(({ callId }) => callId === named));
  if (tool) {
    state.tools = state.tools.filter((open) => open !== tool);
    if (state.missed.length > 0) state.missed = state.missed.filter((missed) => missed !== tool);
    const payload = emitOutcome(draft, tool, outcome);
    if (!isLaunched(payload)) {
      endLane(draft, tool.callId);
      if (payload.kind === "subagent_task") endAwaitedTask(draft, tool.callId);
    }
  } else if (named === undefined || (state.turn > 0 && !state.inTurn)) {
    emitUncalledResult(draft, outcome);
  } else {
    const [oldest] = state.early;
    if (oldest && state.early.length === MAX_EARLY) emitUncalledResult(draft, oldest);
    state.early = appendBounded(state.early, { ...outcome, callId: named }, MAX_EARLY);
    const name = "early tool result";
    draft.emit({ type: "control-passed", from: "agent", what: name, requestId: named });
  }
}

/** Results whose call never came are shown at the end of their turn. */
export function emitStray(draft: Draft): void {
  const { early } = draft.state;
  draft.state.early = [];
  for (const outcome of early) emitUncalledResult(draft, outcome);
}

function emitUncalledResult(draft: Draft, { content }: ToolOutcome): void {
  const text = extractText(content) || JSON.stringify(content);
  draft.emit({ type: "notice", level: "info", text: `a tool result without a tool call: ${text}` });
}

/** A subagent that was sent to the background continues after its call has an answer. */
function isLaunched(payload: ToolPayload): boolean {
  return payload.kind === "subagent_task" && payload.background;
}

function emitOutcome(draft: Draft, tool: OpenTool, outcome: ToolOutcome): ToolPayload {
  cancelAsksOfCall(draft, tool.callId);
  const { content, structured, isError } = outcome;
  const described = describeResult(
    tool.payload,
    structured === undefined ? { content, isError } : { content, structured, isError },
  );
  const status = readStatus(draft.state, tool, outcome);
  const error =
    described.error === undefined ? undefined : readRefusalReason(tool, status, content);
  const payload = error === undefined ? described : { ...described, error };
  const title = toolTitle(tool.name, payload);
  const { callId, lane } = tool;
  const taskId = status === "complete" ? readTaskId(payload) : undefined;
  if (taskId !== undefined) onLaunched(draft, { ...tool, title }, taskId);
  const event = { type: "tool-updated", callId, lane, status, payload } as const;
  draft.emit(title === tool.title ? event : { ...event, title });
  if (status === "complete") onComplete(draft, payload);
  return payload;
}

/**
 * The result has only the program's text for this: that a person stopped the call, or why they
 * denied it.
 */
function readRefusalReason(
  tool: OpenTool,
  status: ToolStatus,
  content: unknown,
): string | undefined {
  if (status === "interrupted") return "Interrupted by the user";
  if (status !== "denied" || !isRefusalNotice(extractText(content))) return undefined;
  return tool.denied || undefined;
}

/** Results that tell about the session, which older versions report in no other way. */
function onComplete(draft: Draft, payload: ToolPayload): void {
  if (payload.kind === "background_shell") onTaskPolled(draft, payload);
  if (payload.kind !== "plan") return;
  if (payload.operation === "enter") changeMode(draft, "plan");
  else if (draft.state.mode === "plan") changeMode(draft, "default");
}

function readTaskId(payload: ToolPayload): string | undefined {
  if (payload.kind === "shell_exec") return payload.output?.backgroundTaskId;
  if (payload.kind !== "subagent_task" || !payload.background) return undefined;
  return payload.output?.agentId;
}

/**
 * A call that nobody denied was stopped. Both come as a refusal, or as an error in the middle of
 * the result.
 */
function readStatus(state: NormalizeState, tool: OpenTool, outcome: ToolOutcome): ToolStatus {
  if (!outcome.isError) return "complete";
  const content = extractText(outcome.content);
  if (isStopNotice(content) || isOnlyStopNotice(content)) return "interrupted";
  if (tool.denied !== null) return "denied";
  // If no ask about the call was answered, nobody denied it.
  if (state.interrupted || (tool.withdrawn && isRefusalNotice(content))) return "interrupted";
  return outcome.denied ? "denied" : "error";
}

/** A subagent has ended: whatever was open in its lane and the lanes below it has ended too. */
export function endLane(draft: Draft, lane: Lane): void {
  const { state } = draft;
  closeLane(draft, lane);
  if (!state.tools.some((tool) => tool.lane === lane)) return;
  const over = findToolsBelow(state.tools, [lane]);
  state.tools = state.tools.filter((tool) => !over.has(tool));
  for (const tool of over) {
    emitMissed(draft, tool, "interrupted");
    closeLane(draft, tool.callId);
  }
}

/** Finds the open calls below any of the lanes, at any depth, each after the call above it. */
function findToolsBelow(tools: readonly OpenTool[], roots: Iterable<Lane>): ReadonlySet<OpenTool> {
  const lanes = new Map<Lane, OpenTool[]>();
  for (const tool of tools) {
    const siblings = lanes.get(tool.lane);
    if (siblings) siblings.push(tool);
    else lanes.set(tool.lane, [tool]);
  }
  const found = new Set<OpenTool>();
  for (const root of roots) for (const tool of lanes.get(root) ?? []) found.add(tool);
  for (const tool of found) for (const next of lanes.get(tool.callId) ?? []) found.add(next);
  return found;
}

/** The result may still come and is then reported. */
function emitMissed(draft: Draft, tool: OpenTool, status: ToolStatus): void {
  const { callId, lane, payload } = tool;
  cancelAsksOfCall(draft, callId);
  draft.state.missed = appendBounded(draft.state.missed, tool, MAX_MISSED);
  draft.emit({ type: "tool-updated", callId, lane, status, payload, missed: true });
}

function emitUnsettled(draft: Draft, tool: OpenTool, status: ToolStatus): void {
  const { callId, lane, payload } = tool;
  cancelAsksOfCall(draft, callId);
  draft.emit({ type: "tool-updated", callId, lane, status, payload });
}

/**
 * Settles calls whose result never came at the end of their turn, with everything below them.
 * Background work belongs to no turn: its calls stay open until the run ends.
 */
export function settleTools(draft: Draft, status: ToolStatus, everything = false): void {
  const { state } = draft;
  const remaining: OpenTool[] = [];
  const goesOn = everything ? () => false : inBackground(state);
  for (const tool of state.tools) {
    if (everything) emitUnsettled(draft, tool, status);
    else if (goesOn(tool.lane)) remaining.push(tool);
    else emitMissed(draft, tool, status);
  }
  state.tools = remaining;
}

/** Subagents that are not in the background end with the turn. */
export function endLanes(draft: Draft): void {
  const { state } = draft;
  const goesOn = inBackground(state);
  for (const { lane } of state.messages) {
    if (lane !== MAIN && !goesOn(lane)) closeLane(draft, lane);
  }
}

/** A lane outlives its turn if it is below a background task, through calls that are open. */
function inBackground({ agents, tasks, tools }: NormalizeState): (lane: Lane) => boolean {
  const running = new Set(tasks.map(({ taskId }) => taskId));
  const roots = agents.filter(({ taskId }) => running.has(taskId)).map(({ lane }) => lane);
  const calls = Array.from(findToolsBelow(tools, roots), ({ callId }) => callId);
  const lanes = new Set<Lane>([...roots, ...calls]);
  return (lane) => lane !== MAIN && lanes.has(lane);
}

/** The ask about a settled call no longer waits for an answer. */
export function withdrawTool({ state }: Draft, callId: string | null): void {
  state.tools = state.tools.map((tool) =>
    tool.callId === callId ? { ...tool, withdrawn: true } : tool,
  );
}

/**
 * A person has changed the input of a call, or has denied it. Returns whether the call changed, and
 * the event.
 */
export function decideTool(
  draft: Draft,
  callId: string | null,
  decision: { readonly denied: string | null; readonly input: unknown },
): { readonly edited: boolean; readonly news?: TimelineEvent } {
  const { state } = draft;
  const tool = callId === null ? undefined : openTool(state, callId);
  if (!tool) return { edited: decision.input !== undefined };
  const payload =
    decision.input === undefined ? tool.payload : describeCall(tool.name, decision.input);
  const edited = JSON.stringify(payload) !== JSON.stringify(tool.payload);
  if (!edited && decision.denied === null) return { edited };
  const title = edited ? toolTitle(tool.name, payload) : tool.title;
  const next = { ...tool, payload, title, denied: decision.denied };
  state.tools = state.tools.map((open) => (open === tool ? next : open));
  if (!edited) return { edited };
  const { lane } = tool;
  const event = { type: "tool-updated", callId: tool.callId, lane, status: "running" } as const;
  const newTitle = title === tool.title ? undefined : title;
  return { edited, news: present({ ...event, payload, title: newTitle }) };
}
