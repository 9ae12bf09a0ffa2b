import type { JsonObject } from "@signalbox/protocol/wire";
import type { PermissionAnswer } from "../../agent.ts";
import { ADVICE, decide, type Decision } from "../permission/decide.ts";
import type { ReasonType } from "../permission/verdict.ts";
import type { Call, Tool } from "../tools/tool.ts";
import { isRecord } from "../tools/schema.ts";

/** Whether a call may run, and what is said about it in `tool_result_meta`. */
export type Permit =
  | { readonly kind: "allowed"; readonly input: JsonObject; readonly meta: JsonObject }
  | {
      readonly kind: "denied";
      readonly message: string;
      readonly meta: JsonObject;
      readonly toldAs?: JsonObject;
    }
  /** The person wants the turn to end. */
  | { readonly kind: "stopped" };

export interface HookWord {
  readonly decision: "allow" | "deny" | "ask" | "defer";
  readonly reason?: string;
}

/** Rules first, then the host. `said` is what PreToolUse hooks said before. */
export async function permit(
  tool: Tool,
  input: JsonObject,
  call: Call,
  said: HookWord | undefined,
): Promise<Permit> {
  const { session } = call;
  const judge = () => tool.judge?.(input, call) ?? ({ behavior: "allow" } as const);
  const decision = decide(session.permission, tool.name, judge, tool.needsPerson === true);
  if (said?.decision === "deny") {
    const why = `PreToolUse:${tool.name} hook error: ${said.reason ?? "A hook denied this."}`;
    return denied(why, { source: "hook", reason_type: "hook" });
  }
  if (decision.behavior === "deny") return deniedByConfig(tool, call, decision);
  if (said?.decision === "allow" && !tool.needsPerson && decision.behavior !== "ask") {
    return allowed(input, { source: "hook", reason_type: "hook" });
  }
  if (said?.decision === "allow" && !tool.needsPerson && !isFirm(decision)) {
    return allowed(input, { source: "hook", reason_type: "hook" });
  }
  if (said?.decision === "ask") return ask(tool, input, call, askedByHook(said));
  if (decision.behavior === "allow") {
    return allowed(input, {
      source: "config",
      ...(decision.reason ? { reason_type: decision.reason } : {}),
    });
  }
  return ask(tool, input, call, askedBy(decision), decision);
}

function isFirm(decision: Decision): boolean {
  return decision.behavior === "ask" && decision.firm === true;
}

function allowed(input: JsonObject, by: JsonObject): Permit {
  return { kind: "allowed", input, meta: { permission_decision: { decision: "accept", ...by } } };
}

function denied(message: string, by: JsonObject): Extract<Permit, { kind: "denied" }> {
  const permission_decision = { decision: "reject", ...by };
  return {
    kind: "denied",
    message,
    meta: { non_execution_kind: "permission-rule", permission_decision },
  };
}

function deniedByConfig(
  tool: Tool,
  call: Call,
  { message, said, reason }: { message: string; said?: string; reason: ReasonType | undefined },
): Extract<Permit, { kind: "denied" }> {
  return {
    ...denied(message, { source: "config", ...(reason && { reason_type: reason }) }),
    toldAs: {
      type: "system",
      subtype: "permission_denied",
      tool_name: tool.name,
      tool_use_id: call.toolUseId,
      ...(call.agent ? { agent_id: call.agent.id } : {}),
      ...(reason && { decision_reason_type: reason }),
      ...(said !== undefined && { decision_reason: said }),
      message,
    },
  };
}

/** There is nobody to ask: what would have been said to them is the reason. */
function deniedByNobody(
  tool: Tool,
  call: Call,
  decision: Extract<Decision, { behavior: "ask" }> | undefined,
): Extract<Permit, { kind: "denied" }> {
  const { unasked, said, reason } = decision ?? {};
  const message =
    unasked ??
    said ??
    `Claude requested permissions to use ${tool.name}, but you haven't granted it yet. ${ADVICE}`;
  const { toldAs, ...nobody } = deniedByConfig(tool, call, { message, reason });
  const permission_decision = { decision: "reject", source: "config" };
  return {
    ...nobody,
    meta: { non_execution_kind: "user-rejected", permission_decision },
    toldAs: { ...toldAs, ...(said === undefined ? {} : { decision_reason: said }) },
  };
}

function askedByHook({ reason }: HookWord): JsonObject {
  return {
    ...(reason === undefined ? {} : { decision_reason: reason }),
    decision_reason_type: "hook",
    decision_reason_hook_event: "PreToolUse",
    decision_reason_hook_source: "settings",
  };
}

function askedBy(decision: Extract<Decision, { behavior: "ask" }>): JsonObject {
  const { said, reason, suggestions, blockedPath, fields } = decision;
  return {
    ...(suggestions === undefined ? {} : { permission_suggestions: suggestions }),
    ...(blockedPath === undefined ? {} : { blocked_path: blockedPath }),
    ...(said === undefined ? {} : { decision_reason: said }),
    ...(reason === undefined ? {} : { decision_reason_type: reason }),
    ...fields,
  };
}

/** The host and `PermissionRequest` hooks are asked at once; the first decision counts. */
async function ask(
  tool: Tool,
  input: JsonObject,
  call: Call,
  about: JsonObject,
  decision?: Extract<Decision, { behavior: "ask" }>,
): Promise<Permit> {
  const { session } = call;
  const { host } = session.birth;
  const shown = tool.shown?.(input, session) ?? input;
  const description = tool.describe?.(input, session);
  if (!host.asksPermission && !session.hooks.has("PermissionRequest")) {
    return deniedByNobody(tool, call, decision);
  }
  const { mcp_server, server_policy_ask_only, ...others } = about;
  const withdrawn = new AbortController();
  const signal = AbortSignal.any([call.signal, withdrawn.signal]);
  const byHost = host.asksPermission
    ? host.askPermission(
        {
          tool_name: tool.name,
          ...(mcp_server === undefined ? {} : { mcp_server }),
          display_name: tool.displayName ?? tool.name,
          input: shown,
          ...(description === undefined ? {} : { description }),
          ...others,
          ...(server_policy_ask_only === undefined ? {} : { server_policy_ask_only }),
          tool_use_id: call.toolUseId,
          ...(call.agent ? { agent_id: call.agent.id } : {}),
          ...(tool.needsPerson ? { requires_user_interaction: true } : {}),
        },
        signal,
        (answer) => applyChanges(call, answer),
      )
    : undefined;
  const byHook = session.hooks.has("PermissionRequest")
    ? hookDecision(tool, shown, call, about)
    : Promise.resolve(undefined);
  const notice = byHost && notifyLater(tool, call);
  const answer = await firstOf(byHost, byHook);
  clearTimeout(notice);
  withdrawn.abort();
  if (call.signal.aborted) return { kind: "stopped" };
  if (!answer) return denied("Nobody answered the question for permission.", { source: "config" });
  return settle(input, shown, call, answer);
}

const NOTICE_MS = 6000;

/** Whoever is asked and does not answer may be elsewhere: `Notification` hooks can call them. */
function notifyLater({ name }: Tool, { session, signal, agent }: Call): NodeJS.Timeout | undefined {
  if (!session.hooks.has("Notification")) return undefined;
  const details = {
    message: `Claude needs your permission to use ${name}`,
    notification_type: "permission_prompt",
  };
  const run = { subject: "permission_prompt", signal, ...(agent && { agent }) };
  return setTimeout(() => void session.hooks.run("Notification", details, run), NOTICE_MS);
}

type Answered = { answer: PermissionAnswer; from: "host" | "hook" };

async function firstOf(
  byHost: Promise<PermissionAnswer> | undefined,
  byHook: Promise<PermissionAnswer | undefined>,
): Promise<Answered | undefined> {
  const fromHost = byHost?.then((answer): Answered => ({ answer, from: "host" }));
  const fromHook = byHook.then(
    (answer): Answered | undefined => answer && { answer, from: "hook" },
  );
  if (!fromHost) return fromHook;
  // A hook without an opinion leaves the decision to the host.
  return Promise.race([fromHost, fromHook.then((found) => found ?? fromHost)]);
}

async function hookDecision(
  tool: Tool,
  shown: JsonObject,
  call: Call,
  about: JsonObject,
): Promise<PermissionAnswer | undefined> {
  const { permission_suggestions } = about;
  const outcome = await call.session.hooks.run(
    "PermissionRequest",
    {
      tool_name: tool.name,
      tool_input: shown,
      ...(permission_suggestions === undefined ? {} : { permission_suggestions }),
    },
    {
      subject: tool.name,
      toolUseId: call.toolUseId,
      signal: call.signal,
      ...(call.agent ? { agent: call.agent } : {}),
    },
  );
  const { decision } = outcome;
  if (decision?.["behavior"] === "allow") return decision as PermissionAnswer;
  if (decision?.["behavior"] !== "deny") return undefined;
  const { message } = decision;
  return {
    ...decision,
    behavior: "deny",
    message: typeof message === "string" ? message : "A hook denied this.",
  };
}

function applyChanges(call: Call, answer: PermissionAnswer): void {
  if (answer.behavior !== "allow") return;
  for (const change of answer.updatedPermissions ?? []) call.session.permission.update(change);
}

function settle(
  input: JsonObject,
  shown: JsonObject,
  call: Call,
  { answer, from }: Answered,
): Permit {
  if (answer.behavior === "deny") {
    if (answer.interrupt === true) return { kind: "stopped" };
    return denied(
      answer.message,
      from === "host" ? { source: "user_reject" } : { source: "hook", reason_type: "hook" },
    );
  }
  const changes = answer.updatedPermissions ?? [];
  if (from === "hook") applyChanges(call, answer); // the host's were applied when its answer came
  const lasting = changes.some(({ destination }) => destination !== "session");
  const next = answer.updatedInput;
  // Unchanged is what was shown: then the model's own spelling stays.
  const kept = !isRecord(next) || JSON.stringify(next) === JSON.stringify(shown);
  const source =
    from === "hook"
      ? { source: "hook", reason_type: "hook" }
      : { source: lasting ? "user_permanent" : "user_temporary" };
  return allowed(kept ? input : next, source);
}
