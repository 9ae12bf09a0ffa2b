import type { ToolPayload } from "../tools/index.ts";
import { present } from "./fields.ts";
import type { NormalizeState, Subagent } from "./state.ts";
import { openTool } from "./tools.ts";

/** Long enough to recognize a name. The agent may have written pages. */
const MAX_LENGTH = 200;

export function findSubagentByName(
  type: string | undefined,
  description: string | undefined,
): Subagent | undefined {
  const named = present({ type: cut(type), description: cut(description) });
  return Object.keys(named).length === 0 ? undefined : named;
}

function cut(text: string | undefined): string | undefined {
  return text?.slice(0, MAX_LENGTH).trim() || undefined;
}

export function readSubagent(payload: ToolPayload): Subagent | undefined {
  if (payload.kind !== "subagent_task") return undefined;
  return findSubagentByName(payload.subagentType, payload.description);
}

/**
 * Finds the subagent behind an ask: by its task, which 2.1.325 reports, or else by the call under
 * which the permitted call was made (2.1.7).
 */
export function findAskingSubagent(
  { normalize: state }: { readonly normalize: NormalizeState },
  ask: { readonly agentId?: string | undefined; readonly callId?: string | undefined },
): Subagent | undefined {
  const { agentId, callId } = ask;
  if (agentId === undefined) return undefined;
  const known = state.agents.find(({ taskId }) => taskId === agentId)?.who;
  return known ?? findSubagentOfCall(state, callId);
}

function findSubagentOfCall(
  state: NormalizeState,
  callId: string | undefined,
): Subagent | undefined {
  const lane = callId === undefined ? undefined : openTool(state, callId)?.lane;
  const call = lane === undefined ? undefined : openTool(state, lane);
  if (call) return readSubagent(call.payload);
  return state.agents.find((agent) => agent.lane === lane)?.who;
}
