import type { JsonObject } from "@signalbox/protocol/wire";
import type { HostCallbacks, PermissionAnswer, PermissionRequest } from "../agent.ts";

/** What the agent's own rules decide about a call; `ask` has the details for the host. */
type PermissionRuleDecision =
  | PermissionAnswer
  | ({ behavior: "ask" } & Partial<Omit<PermissionRequest, "input">>);

interface PermissionCall {
  readonly tool_name: string;
  readonly input: JsonObject;
  readonly tool_use_id: string;
  readonly agent_id?: string;
}

/**
 * Applies the agent's own rules first and asks the host if they are undecided. Denies if nobody can
 * be asked.
 */
export function createPermissionCallback(
  host: HostCallbacks,
  decide: (call: PermissionCall) => PermissionRuleDecision | Promise<PermissionRuleDecision>,
): (call: PermissionCall, signal?: AbortSignal) => Promise<PermissionAnswer> {
  return async (call, signal) => {
    const local = await decide(call);
    if (local.behavior !== "ask") return local;
    if (!host.asksPermission) {
      const message = `Claude requested permissions to use ${call.tool_name}, but you haven't granted it yet.`;
      return { behavior: "deny", message };
    }
    const { behavior: _, ...decisionFields } = local;
    return host.askPermission({ ...call, ...decisionFields }, signal);
  };
}
