import { type Rule, type RuleSource, ruleText } from "./rule.ts";
import type { PermissionState } from "./state.ts";

/** Which source is named when several have the same rule. */
const ORDER: readonly RuleSource[] = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "policySettings",
  "cliArg",
  "session",
];

/** Why a kind of subagent may not be sent: `Agent(kind)`, by its very name. Rules of this form that
 * allow or ask mean nothing, as in Claude Code. */
export function deniedKind({ rules }: PermissionState, kind: string): string | undefined {
  const isAbout = ({ tool, content }: Rule) => tool === "Agent" && content === kind;
  const place = ({ source }: Rule) => ORDER.indexOf(source);
  const [rule] = rules.deny.filter(isAbout).toSorted((one, other) => place(one) - place(other));
  return (
    rule &&
    `Agent type '${kind}' has been denied by permission rule '${ruleText(rule)}' from ${rule.source}.`
  );
}
