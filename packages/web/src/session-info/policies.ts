import type { PolicyName } from "@signalbox/api";
import { requestConfirmation } from "../navigation/confirm.ts";

/** From the strictest policy to the loosest. */
export const policyLabels: Readonly<Record<PolicyName, string>> = {
  supervised: "asks for everything but reading",
  plan: "plans first, then asks by its own rules",
  default: "asks by its own rules",
  "accept-edits": "changes files without asking",
  autonomous: "asks for nothing",
};
export const policyNames = Object.keys(policyLabels) as PolicyName[];
/** The policies up to the given one. The hub lets drivers choose no looser ones. */
export function policiesUpTo(loosest: PolicyName): readonly PolicyName[] {
  return policyNames.slice(0, policyNames.indexOf(loosest) + 1);
}

/** The confirmation that the hub requires for a policy. Undefined if the person has declined. */
export async function confirmPolicy(
  policy: PolicyName | undefined,
): Promise<{ confirmed?: true } | undefined> {
  if (policy !== "autonomous") return {};
  const sure = await requestConfirmation({
    title: "Let it ask for nothing?",
    text: "For the next eight hours the agent runs what it likes as you, and asks nobody. Choose it only where that cannot hurt.",
    confirmLabel: "Let it run everything for eight hours",
  });
  return sure ? { confirmed: true } : undefined;
}
