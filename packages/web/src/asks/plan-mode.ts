import type { PlanMode, PolicyName } from "@signalbox/api";

/** How an approved plan is carried out: what is said beside the choice, and on the button. */
export const planModeLabels: Readonly<
  Record<PlanMode, { readonly what: string; readonly more: string; readonly button: string }>
> = {
  default: {
    what: "Ask before each change",
    more: "by the agent's own rules (mode default)",
    button: "ask before each change",
  },
  acceptEdits: {
    what: "Change files without asking",
    more: "commands are still asked for (mode acceptEdits)",
    button: "change files without asking",
  },
};
export const planModes = Object.keys(planModeLabels) as readonly PlanMode[];

/** What is chosen until a person chooses: what the session was to do anyway. */
export function defaultPlanMode(policy: PolicyName | undefined): PlanMode {
  return policy === "accept-edits" ? "acceptEdits" : "default";
}

/** Why a mode cannot be chosen under a policy; undefined: it can. The hub refuses it, too. */
export function planModeProblem(
  mode: PlanMode,
  policy: PolicyName | undefined,
): string | undefined {
  return policy === "supervised" && mode === "acceptEdits"
    ? "not under the policy supervised, which asks for everything but reading"
    : undefined;
}
