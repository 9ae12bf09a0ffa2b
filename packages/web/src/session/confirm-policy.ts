import type { PolicyName } from "@signalbox/api";
import { confirmed } from "../shell/confirm.ts";

/** What the hub wants with a policy; undefined: the person was asked and does not want it. */
export async function confirmationOf(
  policy: PolicyName | undefined,
): Promise<{ confirmed?: true } | undefined> {
  if (policy !== "autonomous") return {};
  const sure = await confirmed({
    title: "Let it ask for nothing?",
    text: "For the next eight hours the agent runs what it likes as you, and asks nobody. Choose it only where that cannot hurt.",
    does: "Let it run everything for eight hours",
  });
  return sure ? { confirmed: true } : undefined;
}
