import type { PolicyName } from "@signalbox/protocol";

/** What the hub wants with a policy; undefined: the person was asked and does not want it. */
export function confirmationOf(policy: PolicyName | undefined): { confirmed?: true } | undefined {
  if (policy !== "autonomous") return {};
  const sure = confirm(
    "Autonomous: for the next eight hours the agent asks for nothing and runs what it likes as you. Switch it on?",
  );
  return sure ? { confirmed: true } : undefined;
}
