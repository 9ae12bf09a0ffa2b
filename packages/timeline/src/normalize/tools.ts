import type { BlockRef, Lane, TimelineEvent, ToolStatus } from "../event.ts";
import { describeCall, describeResult, type ToolPayload, toolTitle } from "../tools/index.ts";
import { own, present, text } from "./fields.ts";
import { type EarlyResult, type NormalizeState, without, withoutLane } from "./state.ts";
import { andThen, type Step, step } from "./step.ts";

/** How many results may wait for their call: more than any agent runs at once. */
const MOST_EARLY = 100;

export function onToolCall(
  state: NormalizeState,
  at: BlockRef,
  block: { readonly [field: string]: unknown },
  uuid: string | undefined,
): Step {
  const name = text(block["name"]) ?? "unnamed";
  const callId = text(block["id"]) ?? at.block;
  const payload = describeCall(name, block["input"]);
  const title = toolTitle(name, payload);
  const called = present({
    type: "tool-called" as const,
    ...at,
    callId,
    name,
    title,
    payload,
    uuid,
  });
  const early = own(state.early, callId);
  if (early) {
    const next = { ...state, early: without(state.early, callId) };
    return step(next, called, updated(callId, at.lane, payload, early));
  }
  const nth = state.calls + 1;
  const tools = { ...state.tools, [callId]: { nth, lane: at.lane, name, payload } };
  return step({ ...state, tools, calls: nth }, called);
}

/** A result settles its call; one without an id settles the oldest open call of its lane. */
export function onToolResult(
  state: NormalizeState,
  lane: Lane,
  named: string | undefined,
  result: EarlyResult,
): Step {
  const callId = named ?? oldestOf(state, lane);
  if (callId === undefined) {
    return step(state, {
      type: "notice",
      level: "info",
      text: "a tool result without a tool call",
    });
  }
  const open = own(state.tools, callId);
  if (open) {
    const next = { ...state, tools: without(state.tools, callId) };
    const told = updated(callId, open.lane, open.payload, result);
    return isLaunched(told.payload)
      ? step(next, told)
      : andThen(step(next, told), (after) => endLane(after, callId));
  }
  const waiting = Object.entries({ ...state.early, [callId]: result }).slice(-MOST_EARLY);
  const early = Object.fromEntries(waiting);
  return step(
    { ...state, early },
    { type: "control-passed", from: "agent", what: "early tool result", requestId: callId },
  );
}

/** A subagent that was sent to the background goes on after its call has an answer. */
function isLaunched(payload: ToolPayload): boolean {
  return payload.kind === "subagent_task" && payload.background;
}

/** A subagent is done: what it had open, and what those below it had, is over. */
export function endLane(state: NormalizeState, lane: Lane): Step {
  let at: Step = step(withoutLane(state, lane));
  for (const [callId, tool] of Object.entries(state.tools)) {
    if (tool.lane !== lane) continue;
    const told = {
      type: "tool-updated",
      callId,
      lane,
      status: "interrupted",
      payload: tool.payload,
    } as const;
    at = andThen(at, (next) => step({ ...next, tools: without(next.tools, callId) }, told));
    at = andThen(at, (next) => endLane(next, callId));
  }
  return at;
}

function oldestOf(state: NormalizeState, lane: Lane): string | undefined {
  const open = Object.entries(state.tools).filter(([, tool]) => tool.lane === lane);
  return open.toSorted(([, a], [, b]) => a.nth - b.nth)[0]?.[0];
}

function updated(
  callId: string,
  lane: Lane,
  before: Parameters<typeof describeResult>[0],
  result: EarlyResult,
): Extract<TimelineEvent, { type: "tool-updated" }> {
  const { content, structured, isError } = result;
  const payload = describeResult(before, present({ content, structured, isError }));
  const status: ToolStatus = result.denied ? "denied" : isError ? "error" : "complete";
  return { type: "tool-updated", callId, lane, status, payload };
}

/**
 * Calls whose result never came are settled at the end of their turn, with all that hangs below them.
 * What runs in the background belongs to no turn: its calls stay open until the run ends.
 */
export function settleTools(state: NormalizeState, status: ToolStatus, everything = false): Step {
  const events: TimelineEvent[] = [];
  const kept: Record<string, NormalizeState["tools"][string]> = {};
  for (const [callId, tool] of Object.entries(state.tools)) {
    if (everything || endsWithTurn(state, tool.lane)) {
      events.push({ type: "tool-updated", callId, lane: tool.lane, status, payload: tool.payload });
    } else {
      kept[callId] = tool;
    }
  }
  return events.length === 0 ? step(state) : step({ ...state, tools: kept }, ...events);
}

/** A lane ends with the turn when the call it hangs under is still open, up to the main thread. */
function endsWithTurn(state: NormalizeState, lane: Lane): boolean {
  for (let at = lane, depth = 0; depth < 100; depth++) {
    if (at === "main") return true;
    const above = own(state.tools, at);
    if (!above) return false;
    at = above.lane;
  }
  return true;
}
