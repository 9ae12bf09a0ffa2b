import type { JsonObject } from "@signalbox/protocol/wire";
import { NEEDS_APPROVAL } from "./bash-asks.ts";
import type { PermissionState } from "./state.ts";
import {
  addRule,
  allowedByRule,
  askedAnyway,
  askedByRule,
  deniedByRule,
  ruleForTool,
  type Verdict,
} from "./verdict.ts";

export type Decision = Exclude<Verdict, { behavior: "pass" }>;
type Ask = Extract<Verdict, { behavior: "ask" }>;

/**
 * Combines rules, the tool's judgement and the mode. As in Claude Code, rules that deny come first,
 * and rules that ask apply in every mode.
 */
export function decide(
  state: PermissionState,
  tool: string,
  own: () => Verdict,
  needsPerson = false,
): Decision {
  const denies = ruleForTool(state, "deny", tool);
  if (denies) return deniedByRule(denies, `Permission to use ${tool} has been denied.`);
  const said = own();
  if (said.behavior === "deny") return said;
  const asks = ruleForTool(state, "ask", tool);
  if (asks) {
    if (said.behavior === "ask" && said.said !== NEEDS_APPROVAL) return askedAnyway(asks, said);
    return said.behavior === "pass"
      ? withFields(askedByRule(asks), said.fields)
      : askedByRule(asks);
  }
  const isBypassed = state.mode === "bypassPermissions";
  const isFirm = said.behavior === "ask" && (isBypassed ? said.firm === true : said.firm);
  if (said.behavior === "ask" && (isFirm || needsPerson)) return inMode(state, tool, said);
  if (isBypassed) return { behavior: "allow", reason: "mode" };
  const allows = ruleForTool(state, "allow", tool);
  if (allows && !(tool === "Bash" && state.holdsPlan)) return allowedByRule(allows);
  if (said.behavior === "allow") return said;
  if (said.behavior === "ask") return inMode(state, tool, said);
  return inMode(state, tool, {
    behavior: "ask",
    suggestions: said.suggestions ?? [addRule(tool, undefined, "localSettings")],
    ...(said.fields ? { fields: said.fields } : {}),
  });
}

/** Whether a call with this judgement requires a question. */
export const isAsked = (state: PermissionState, tool: string, judge: () => Verdict): boolean =>
  decide(state, tool, judge, false).behavior === "ask";

const withFields = (asked: Ask, fields: JsonObject = {}): Ask => ({
  ...asked,
  fields: { ...fields, ...asked.fields },
});

function inMode(state: PermissionState, tool: string, said: Decision): Decision {
  if (said.behavior !== "ask" || state.mode !== "dontAsk") return said;
  return {
    behavior: "deny",
    message: `Permission to use ${tool} has been denied because the agent runs in don't ask mode. ${ADVICE}`,
    reason: "mode",
    instead: said,
  };
}

/** Explains to the model what a refusal means. */
const ADVICE =
  "Another tool may serve the same purpose if that respects what was refused. Do not try to get around the refusal; if the work needs this permission, say so and let the user decide.";
