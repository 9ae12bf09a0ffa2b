import type { JsonObject } from "@signalbox/protocol/wire";
import { NEEDS_APPROVAL } from "./bash-asks.ts";
import type { PermissionSettings } from "./state.ts";
import {
  addRule,
  allowedByRule,
  createExtraAsk,
  askedByRule,
  deniedByRule,
  ruleForTool,
  type Verdict,
} from "./verdict.ts";

export type PermissionDecision = Exclude<Verdict, { behavior: "pass" }>;
type Ask = Extract<Verdict, { behavior: "ask" }>;

/**
 * Combines rules, the tool's judgement and the mode. As in Claude Code, rules that deny come first,
 * and rules that ask apply in every mode.
 */
export function decide(
  state: PermissionSettings,
  tool: string,
  own: () => Verdict,
  needsPerson = false,
): PermissionDecision {
  const denies = ruleForTool(state, "deny", tool);
  if (denies) return deniedByRule(denies, `Permission to use ${tool} has been denied.`);
  const ownVerdict = own();
  if (ownVerdict.behavior === "deny") return ownVerdict;
  const asks = ruleForTool(state, "ask", tool);
  if (asks) {
    if (ownVerdict.behavior === "ask" && ownVerdict.reasonText !== NEEDS_APPROVAL)
      return createExtraAsk(asks, ownVerdict);
    return ownVerdict.behavior === "pass"
      ? withFields(askedByRule(asks), ownVerdict.fields)
      : askedByRule(asks);
  }
  const isBypassed = state.mode === "bypassPermissions";
  const isFirm =
    ownVerdict.behavior === "ask" && (isBypassed ? ownVerdict.firm === true : ownVerdict.firm);
  if (ownVerdict.behavior === "ask" && (isFirm || needsPerson))
    return inMode(state, tool, ownVerdict);
  if (isBypassed) return { behavior: "allow", reason: "mode" };
  const allows = ruleForTool(state, "allow", tool);
  if (allows && !(tool === "Bash" && state.holdsPlan)) return allowedByRule(allows);
  if (ownVerdict.behavior === "allow") return ownVerdict;
  if (ownVerdict.behavior === "ask") return inMode(state, tool, ownVerdict);
  return inMode(state, tool, {
    behavior: "ask",
    suggestions: ownVerdict.suggestions ?? [addRule(tool, undefined, "localSettings")],
    ...(ownVerdict.fields ? { fields: ownVerdict.fields } : {}),
  });
}

/** Whether a call with this judgement requires a question. */
export const isAsked = (state: PermissionSettings, tool: string, judge: () => Verdict): boolean =>
  decide(state, tool, judge, false).behavior === "ask";

const withFields = (asked: Ask, fields: JsonObject = {}): Ask => ({
  ...asked,
  fields: { ...fields, ...asked.fields },
});

function inMode(
  state: PermissionSettings,
  tool: string,
  ownVerdict: PermissionDecision,
): PermissionDecision {
  if (ownVerdict.behavior !== "ask" || state.mode !== "dontAsk") return ownVerdict;
  return {
    behavior: "deny",
    message: `Permission to use ${tool} has been denied because the agent runs in don't ask mode. ${ADVICE}`,
    reason: "mode",
    instead: ownVerdict,
  };
}

/** Explains to the model what a refusal means. */
const ADVICE =
  "Another tool may serve the same purpose if that respects what was refused. Do not try to get around the refusal; if the work needs this permission, say so and let the user decide.";
