import type { PolicyName } from "@signalbox/api";
import { requestConfirmation } from "../navigation/confirm.ts";

/** From strict to loose: each lets more happen without asking than the one before. */
export const policyLabels: Readonly<Record<PolicyName, string>> = {
  supervised: "asks for everything but reading",
  plan: "plans first, then asks by its own rules",
  default: "asks by its own rules",
  "accept-edits": "changes files without asking",
  autonomous: "asks for nothing",
};
export const policyNames = Object.keys(policyLabels) as PolicyName[];
/** The policies that a driver may choose where this one is the loosest: the hub refuses the others. */
export function policiesUpTo(loosest: PolicyName): readonly PolicyName[] {
  return policyNames.slice(0, policyNames.indexOf(loosest) + 1);
}

/** What the hub wants with a policy; undefined: the person was asked and does not want it. */
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
