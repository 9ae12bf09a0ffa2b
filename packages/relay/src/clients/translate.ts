import type { AskView, HubDecision, NewPrompt, PlanMode } from "@signalbox/api";
import { planMode } from "@signalbox/api/schemas";
import { isObject } from "@signalbox/protocol/wire";

/**
 * Translates the decision of a front end or an SDK client, in the form of the agent's control plane
 * (or of its hooks), into a decision about an ask. Undefined: it contains no decision.
 */
export function parseDecision(ask: AskView, value: unknown): HubDecision | undefined {
  if (!isObject(value)) return undefined;
  const hook = value["hookSpecificOutput"];
  if (isObject(hook))
    return parseHookDecision(hook["permissionDecision"], hook["permissionDecisionReason"]);
  if (typeof value["decision"] === "string")
    return parseHookDecision(value["decision"], value["reason"]);
  switch (value["behavior"]) {
    case "allow":
      return parseAllowed(ask, value);
    case "deny": {
      const stop = value["interrupt"] === true ? { stop: true } : {};
      return { behavior: "deny", ...readMessage(value["message"]), ...stop };
    }
    case "completed":
      return isObject(value["result"])
        ? { behavior: "result", result: value["result"] }
        : undefined;
    default:
      return parseElicitation(value);
  }
}

/**
 * The answers of hooks: `permissionDecision` of PreToolUse, `decision` of Stop and of the older
 * hooks.
 */
function parseHookDecision(answerText: unknown, why: unknown): HubDecision | undefined {
  if (answerText === "allow" || answerText === "approve") return { behavior: "allow" };
  if (answerText === "deny" || answerText === "block")
    return { behavior: "deny", ...readMessage(why) };
  return undefined;
}

/** An input that differs from the requested one was edited. A question is answered in its input. */
function parseAllowed(ask: AskView, value: Record<string, unknown>): HubDecision | undefined {
  const { updatedInput: input, updatedPermissions } = value;
  const answers = isObject(input) ? input["answers"] : undefined;
  if (ask.kind === "question") {
    return isObject(answers) ? { behavior: "answer", answers: answers as never } : undefined;
  }
  const edited = isObject(input) && !Bun.deepEquals(input, ask.input) ? { input } : {};
  const wanted = Array.isArray(updatedPermissions) ? updatedPermissions : [];
  const remember = wanted
    .map((each) => ask.suggestions.findIndex((known) => Bun.deepEquals(known, each)))
    .filter((place) => place >= 0);
  const mode = ask.kind === "plan" ? findPlanMode(wanted) : undefined;
  const also = { ...(remember.length > 0 && { remember }), ...(mode !== undefined && { mode }) };
  return { behavior: "allow", ...edited, ...also };
}

/** The mode in which a plan is to be carried out; only modes in which a person is asked. */
function findPlanMode(changes: readonly unknown[]): PlanMode | undefined {
  const wanted = changes.findLast((change) => isObject(change) && change["type"] === "setMode");
  return planMode.safeParse((wanted as { mode?: unknown } | undefined)?.mode).data;
}

function parseElicitation({ action, content }: Record<string, unknown>): HubDecision | undefined {
  if (action === "accept") return { behavior: "accept", content: isObject(content) ? content : {} };
  if (action === "decline") return { behavior: "deny" };
  return action === "cancel" ? { behavior: "deny", stop: true } : undefined;
}

function readMessage(answerText: unknown): { message?: string } {
  return typeof answerText === "string" && answerText !== "" ? { message: answerText } : {};
}

/** A `user` message as a prompt. Undefined: it contains nothing that can be sent. */
export function parsePrompt(message: unknown): NewPrompt | undefined {
  const content = isObject(message) ? message["content"] : undefined;
  if (typeof content === "string") return { text: content };
  if (!Array.isArray(content)) return undefined;
  const texts: string[] = [];
  const images: { data: string }[] = [];
  for (const block of content) {
    if (!isObject(block)) return undefined;
    const { type, text, source } = block;
    if (type === "text" && typeof text === "string") texts.push(text);
    else if (type === "image" && isObject(source) && typeof source["data"] === "string") {
      images.push({ data: source["data"] });
    } else return undefined;
  }
  return { text: texts.join("\n\n"), ...(images.length > 0 && { images }) };
}

/** An ask in the form of the agent's control plane. */
export function formatRequest(ask: AskView): object {
  const input = isObject(ask.input) ? ask.input : {};
  if (ask.kind === "elicitation") return { ...input, subtype: "elicitation" };
  if (ask.kind === "dialog") return { ...input, subtype: "request_user_dialog" };
  return {
    subtype: "can_use_tool",
    tool_name: ask.tool ?? "",
    display_name: ask.title,
    input,
    permission_suggestions: ask.suggestions,
    tool_use_id: ask.callId ?? ask.requestId,
    ...(ask.agentId !== undefined && { agent_id: ask.agentId }),
    ...(ask.reason !== undefined && { decision_reason: ask.reason }),
    ...(ask.blockedPath !== undefined && { blocked_path: ask.blockedPath }),
    ...(ask.kind !== "permission" && { requires_user_interaction: true }),
  };
}
