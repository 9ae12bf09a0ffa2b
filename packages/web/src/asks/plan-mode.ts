import type { PlanMode, PolicyName } from "@signalbox/api";

/** The permission modes in which an approved plan can run, with their labels. */
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

/** The preselected mode, which follows the session's policy. */
export function defaultPlanMode(policy: PolicyName | undefined): PlanMode {
  return policy === "accept-edits" ? "acceptEdits" : "default";
}

/** Why a mode is not available under a policy. Undefined if it is. The hub refuses it as well. */
export function planModeProblem(
  mode: PlanMode,
  policy: PolicyName | undefined,
): string | undefined {
  return policy === "supervised" && mode === "acceptEdits"
    ? "not under the policy supervised, which asks for everything but reading"
    : undefined;
}
