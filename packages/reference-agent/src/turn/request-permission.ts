import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import type { PermissionAnswer } from "@signalbox/agent";
import { decide, type PermissionDecision } from "../permission/decide.ts";
import { serverNamed } from "../mcp/server.ts";
import { isPolicyAlone } from "../permission/policy-ask.ts";
import type { Session } from "../session.ts";
import type { Call, Tool } from "../tool.ts";
import { rewriteProblem } from "./input-problem.ts";
import {
  createAllowed,
  BY_HOOK,
  getDecider,
  createDenied,
  deniedByConfig,
  deniedByHook,
  deniedByNobody,
  findAnswerProblem,
  type PermissionOutcome,
  rewriteText,
} from "./permission-outcome.ts";

/** The answers of PreToolUse hooks. */
interface Advice {
  readonly permission: HookWord | undefined;
  readonly updatedInput?: JsonObject;
}

interface HookWord {
  readonly decision: "allow" | "deny" | "ask" | "defer";
  readonly reason?: string;
}

/** Applies the rules, then asks the host. */
export async function requestPermission(
  tool: Tool,
  wanted: JsonObject,
  call: Call,
  { permission: hookWord, updatedInput }: Advice,
): Promise<PermissionOutcome> {
  const input = updatedInput ?? wanted;
  const flaw = updatedInput && rewriteProblem(tool, updatedInput);
  if (flaw !== undefined) return createDenied(rewriteText("PreToolUse", tool, flaw), BY_HOOK);
  const { session } = call;
  const judge = () => tool.judge?.(input, call) ?? ({ behavior: "allow" } as const);
  const decision = session.permission.withMode(
    call.agent?.permissionMode,
    () => decide(session.permission, tool.name, judge, tool.needsPerson === true),
    call.agent?.judges,
  );
  if (hookWord?.decision === "deny") {
    const why = `PreToolUse:${tool.name} hook error: ${hookWord.reason ?? "Blocked by hook"}`;
    return createDenied(why, BY_HOOK);
  }
  if (hookWord?.decision === "ask" && !isByRule(decision)) {
    const { reason = "" } = hookWord;
    const unasked = reason || `Hook PreToolUse:${tool.name} asked for confirmation for this tool`;
    const asked = { behavior: "ask", reason: "hook", reasonText: reason, unasked } as const;
    const server = serverNamed(session.mcp, tool.origin?.server);
    return ask(tool, input, call, { ...server, ...askedByHook(reason) }, asked);
  }
  const isAllowed = hookWord?.decision === "allow" && !tool.needsPerson;
  if (decision.behavior === "deny") {
    if (isAllowed && decision.instead && !isFirm(decision.instead))
      return createAllowed(input, BY_HOOK);
    const { toldAs, ...permit } = deniedByConfig(tool, call, decision);
    // If a hook had allowed the call, the host is only told about the rule with the result.
    const isKnown = hookWord?.decision === "allow" && !decision.instead;
    return isKnown || !toldAs ? permit : { ...permit, toldAs };
  }
  // In plan mode, a hook may only allow calls that read.
  const isHeld = session.permission.mode === "plan" && tool.sideBySide?.(input) !== true;
  const isOpen = decision.behavior !== "ask" || !(isFirm(decision) || isHeld);
  if (isAllowed && isOpen) return createAllowed(input, BY_HOOK);
  if (decision.behavior === "allow") {
    return createAllowed(input, {
      source: getDecider("allow", decision.source),
      ...(decision.reason ? { reason_type: decision.reason } : {}),
    });
  }
  return ask(tool, input, call, askedBy(tool, decision, session), decision);
}

/**
 * Whether a rule denied or requires a question, which overrides a hook that asks. The mode that
 * skips questions does not.
 */
function isByRule(decision: PermissionDecision): boolean {
  if (decision.behavior === "ask") return decision.reason === "rule";
  if (decision.behavior === "allow") return false;
  return decision.instead ? isByRule(decision.instead) : decision.reason !== "mode";
}

function isFirm(decision: PermissionDecision): boolean {
  return decision.behavior === "ask" && decision.firm !== undefined;
}

function askedByHook(decision_reason: string): JsonObject {
  return {
    decision_reason,
    decision_reason_type: "hook",
    decision_reason_hook_event: "PreToolUse",
    decision_reason_hook_source: "settings",
  };
}

function askedBy(
  { name }: Tool,
  decision: Extract<PermissionDecision, { behavior: "ask" }>,
  { permission, hooks, context }: Session,
): JsonObject {
  const { reasonText, reason, blockedPath, fields } = decision;
  const own = context.host.asksPermission ? undefined : decision.hookSuggestions;
  const suggestions = own ?? decision.suggestions;
  const isAlone = isPolicyAlone(permission, name, decision, hooks.has("PermissionRequest"));
  return {
    ...(suggestions === undefined ? {} : { permission_suggestions: suggestions }),
    ...(blockedPath === undefined ? {} : { blocked_path: blockedPath }),
    ...(reasonText === undefined ? {} : { decision_reason: reasonText }),
    ...(reason === undefined ? {} : { decision_reason_type: reason }),
    ...fields,
    ...(isAlone === undefined ? {} : { server_policy_ask_only: isAlone }),
  };
}

/** Asks the host and `PermissionRequest` hooks at the same time. The first decision counts. */
async function ask(
  tool: Tool,
  input: JsonObject,
  call: Call,
  about: JsonObject,
  decision?: Extract<PermissionDecision, { behavior: "ask" }>,
): Promise<PermissionOutcome> {
  const { session } = call;
  const { host } = session.context;
  const shown = shownTo(tool, input, call);
  if (!host.asksPermission && !session.hooks.has("PermissionRequest")) {
    return deniedByNobody(tool, call, decision);
  }
  const { mcp_server, server_policy_ask_only, suppress_always_allow_rule, ...others } = about;
  const { description = tool.describe?.(input, session), matched_ask_rule, ...more } = others;
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
          ...more,
          ...(server_policy_ask_only === undefined ? {} : { server_policy_ask_only }),
          ...(matched_ask_rule === undefined ? {} : { matched_ask_rule }),
          tool_use_id: call.toolUseId,
          ...(call.agent ? { agent_id: call.agent.id } : {}),
          ...(tool.needsPerson ? { requires_user_interaction: true } : {}),
          ...(suppress_always_allow_rule === undefined ? {} : { suppress_always_allow_rule }),
        },
        signal,
        (answer) => applyChanges(call, answer),
      )
    : undefined;
  if (byHost) call.onAsked?.();
  const byHook = session.hooks.has("PermissionRequest")
    ? hookDecision(tool, shown, call, about)
    : Promise.resolve(undefined);
  const notice = byHost && notifyLater(tool, call);
  const answer = await getFirst(byHost, byHook);
  clearTimeout(notice);
  withdrawn.abort();
  if (call.interruption.aborted) return { kind: "stopped" };
  if (call.signal.aborted)
    return createDenied("Tool permission request aborted", { source: "user_abort" });
  if (!answer) return deniedByNobody(tool, call, decision);
  return settle(tool, input, call, answer);
}

const shownTo = (tool: Tool, input: JsonObject, { session }: Call): JsonObject =>
  tool.shown?.(input, session) ?? input;

const NOTICE_MS = 6000;

/**
 * Calls `Notification` hooks after a while without an answer, because the person may be elsewhere.
 */
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

async function getFirst(
  byHost: Promise<PermissionAnswer> | undefined,
  byHook: Promise<PermissionAnswer | undefined>,
): Promise<Answered | undefined> {
  const fromHost = byHost?.then((answer): Answered => ({ answer, from: "host" }));
  const fromHook = byHook.then(
    (answer): Answered | undefined => answer && { answer, from: "hook" },
  );
  if (!fromHost) return fromHook;
  // If the hook has no opinion, the host decides.
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
      ...serverNamed(call.session.mcp, tool.origin?.server),
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
  tool: Tool,
  input: JsonObject,
  call: Call,
  { answer, from }: Answered,
): PermissionOutcome {
  if (answer.behavior === "deny") {
    if (answer.interrupt === true) {
      const { toldAs } = from === "host" ? {} : deniedByHook(tool, call, answer.message);
      return { kind: "stopped", ...(toldAs && { toldAs }) };
    }
    if (answer["failed"] === true) {
      return createDenied(answer.message, { source: "config", reason_type: "other" });
    }
    return from === "host"
      ? createDenied(answer.message, { source: getDecisionClassification(answer) ?? "user_reject" })
      : deniedByHook(tool, call, answer.message);
  }
  const next = answer.updatedInput;
  const flaw = isObject(next) ? rewriteProblem(tool, next) : undefined;
  if (flaw !== undefined) return findAnswerProblem(tool, call, { flaw, from });
  if (from === "hook") applyChanges(call, answer); // the host's were applied when its answer came
  // If the input equals what was shown, the model's own spelling is kept.
  const storedSuggestion =
    !isObject(next) || JSON.stringify(next) === JSON.stringify(shownTo(tool, input, call));
  const source =
    from === "hook" ? BY_HOOK : { source: getDecisionClassification(answer) ?? "user_temporary" };
  return createAllowed(storedSuggestion ? input : next, source);
}

/** Returns how the host classifies the decision of its person. */
function getDecisionClassification({
  decisionClassification: classification,
}: PermissionAnswer): string | undefined {
  const known = ["user_temporary", "user_permanent", "user_reject"];
  return known.find((one) => one === classification);
}
