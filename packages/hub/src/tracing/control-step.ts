import type { Decoded } from "@signalbox/protocol";

/** A control message that a trace shows: what the agent asks, and what it is answered. */
type ControlStep =
  | { readonly kind: "request"; readonly requestId: string; readonly subtype: string }
  | { readonly kind: "answer"; readonly requestId: string; readonly hook: string | undefined };

/** What the agent asks of its host. What the host asks of the agent is not part of a turn. */
const asked: ReadonlySet<string> = new Set(["can_use_tool", "hook_callback"]);

/**
 * Reads a control message; undefined: it is none that a trace shows. `hookCalls` remembers the hooks that the agent
 * waits for, and everything else that is asked with an empty name.
 */
export function readControlStep(
  decoded: Decoded,
  hookCalls: Map<string, string>,
): ControlStep | undefined {
  if (decoded.kind !== "known") return undefined;
  const { message } = decoded;
  if (message.type === "control_request") {
    const { request_id: requestId, request } = message;
    const { subtype } = request;
    if (requestId === undefined || !asked.has(subtype)) return undefined;
    const input = request["input"] as { hook_event_name?: unknown } | undefined;
    const hook = subtype === "hook_callback" ? input?.hook_event_name : undefined;
    hookCalls.set(requestId, typeof hook === "string" ? toSnakeCase(hook) : "");
    return { kind: "request", requestId, subtype };
  }
  if (message.type !== "control_response") return undefined;
  const requestId = readRequestId(message);
  const hook = requestId === undefined ? undefined : hookCalls.get(requestId);
  if (requestId === undefined || hook === undefined) return undefined;
  hookCalls.delete(requestId); // a replay of the answer is not shown again
  return { kind: "answer", requestId, hook: hook === "" ? undefined : hook };
}

function readRequestId(message: object): string | undefined {
  const { response } = message as { response?: { request_id?: unknown } };
  return typeof response?.request_id === "string" ? response.request_id : undefined;
}

/** `PreToolUse` → `pre_tool_use`. */
function toSnakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
}
