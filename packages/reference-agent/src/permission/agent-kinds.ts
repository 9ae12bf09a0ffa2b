import { type Rule, type RuleSource, ruleText } from "./rule.ts";
import type { PermissionSettings } from "./state.ts";

/** The order in which sources are named when several have the same rule. */
const ORDER: readonly RuleSource[] = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "policySettings",
  "cliArg",
  "session",
];

/**
 * Returns why a kind of subagent is denied: only by `Agent(kind)` with its exact name. As in Claude
 * Code, rules of this form that allow or ask have no effect.
 */
export function deniedKind({ rules }: PermissionSettings, kind: string): string | undefined {
  const isAbout = ({ tool, content }: Rule) => tool === "Agent" && content === kind;
  const place = ({ source }: Rule) => ORDER.indexOf(source);
  const [rule] = rules.deny.filter(isAbout).toSorted((one, other) => place(one) - place(other));
  return (
    rule &&
    `Agent type '${kind}' has been denied by permission rule '${ruleText(rule)}' from ${rule.source}.`
  );
}
