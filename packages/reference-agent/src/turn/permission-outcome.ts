import type { JsonObject } from "@signalbox/protocol/wire";
import type { PermissionDecision } from "../permission/decide.ts";
import type { RuleSource } from "../permission/rule.ts";
import { toolNotGranted } from "../permission/unasked.ts";
import type { ReasonType } from "../permission/verdict.ts";
import type { Call, Tool } from "../tool.ts";

/** Whether a call may run, and the reason for `tool_result_meta`. */
export type PermissionOutcome =
  | { readonly kind: "allowed"; readonly input: JsonObject; readonly meta: JsonObject }
  | {
      readonly kind: "denied";
      readonly message: string;
      readonly meta: JsonObject;
      readonly toldAs?: JsonObject;
    }
  /** The call was allowed with an input that the tool cannot use. */
  | {
      readonly kind: "misfit";
      readonly message: string;
      readonly why: string;
      readonly meta: JsonObject;
    }
  /** A person or a hook ends the turn. */
  | { readonly kind: "stopped"; readonly toldAs?: JsonObject };

export const BY_HOOK = { source: "hook", reason_type: "hook" };

export function rewriteText(event: string, { name }: Tool, flaw: string): string {
  return `${event} hook for ${name} returned updatedInput that failed schema validation: ${flaw}\nWhat the model gave was in order; what the hook made of it is not.`;
}

export function createAllowed(input: JsonObject, by: JsonObject): PermissionOutcome {
  return { kind: "allowed", input, meta: { permission_decision: { decision: "accept", ...by } } };
}

/** Names who decided by a rule: a person, if the rule is their own. */
export function getDecider(behavior: "allow" | "deny", source: RuleSource | undefined): string {
  const isLasting = source === "userSettings" || source === "localSettings";
  if (!isLasting && source !== "session") return "config";
  if (behavior === "deny") return "user_reject";
  return isLasting ? "user_permanent" : "user_temporary";
}

export function createDenied(
  message: string,
  by: JsonObject,
): Extract<PermissionOutcome, { kind: "denied" }> {
  const permission_decision = { decision: "reject", ...by };
  return {
    kind: "denied",
    message,
    meta: { non_execution_kind: "permission-rule", permission_decision },
  };
}

export function deniedByConfig(
  tool: Tool,
  call: Call,
  {
    message,
    reasonText,
    reason,
    source,
  }: { message: string; reasonText?: string; reason: ReasonType | undefined; source?: RuleSource },
): Extract<PermissionOutcome, { kind: "denied" }> {
  return {
    ...createDenied(message, {
      source: getDecider("deny", source),
      ...(reason && { reason_type: reason }),
    }),
    toldAs: {
      type: "system",
      subtype: "permission_denied",
      tool_name: tool.name,
      tool_use_id: call.toolUseId,
      ...(call.agent ? { agent_id: call.agent.id } : {}),
      ...(reason && { decision_reason_type: reason }),
      ...(reasonText !== undefined && { decision_reason: reasonText }),
      message,
    },
  };
}

/** Denies a call because nobody can be asked. The question is the reason. */
export function deniedByNobody(
  tool: Tool,
  call: Call,
  decision: Extract<PermissionDecision, { behavior: "ask" }> | undefined,
): Extract<PermissionOutcome, { kind: "denied" }> {
  const { unasked, reasonText, reason } = decision ?? {};
  const message = unasked ?? reasonText ?? toolNotGranted(tool.name);
  const denial = deniedByConfig(tool, call, {
    message,
    reason,
    ...(reasonText !== undefined && { reasonText }),
  });
  const permission_decision = { decision: "reject", source: "config" };
  return { ...denial, meta: { non_execution_kind: "user-rejected", permission_decision } };
}

/** Denies a call because of a hook, and tells the host, who was not asked. */
export function deniedByHook(
  tool: Tool,
  call: Call,
  message: string,
): Extract<PermissionOutcome, { kind: "denied" }> {
  if (call.session.context.host.asksPermission) return createDenied(message, BY_HOOK);
  const denial = deniedByConfig(tool, call, { message, reasonText: message, reason: "hook" });
  return { ...denial, ...createDenied(message, BY_HOOK) };
}

export function findAnswerProblem(
  tool: Tool,
  call: Call,
  { flaw, from }: { flaw: string; from: "host" | "hook" },
): PermissionOutcome {
  if (from === "hook") {
    return deniedByHook(tool, call, rewriteText("PermissionRequest", tool, flaw));
  }
  const permission_decision = { decision: "reject", source: "permission_updated_input_invalid" };
  return {
    kind: "misfit",
    message: `The permission handler returned updatedInput for ${tool.name} that failed schema validation: ${flaw}\nThis is a configuration issue in your canUseTool callback, PermissionRequest hook, or permission-prompt tool — updatedInput must satisfy the tool's input schema. The tool input from the model was valid.`,
    why: `permission handler updatedInput failed schema for ${tool.name}`,
    meta: { permission_decision },
  };
}
