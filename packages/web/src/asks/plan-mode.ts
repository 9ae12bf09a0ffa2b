import type { PlanMode, PolicyName } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.asks;

/** The permission modes in which an approved plan can run, with their labels. */
export const planModeLabels: Readonly<
  Record<PlanMode, { readonly what: string; readonly more: string }>
> = {
  default: { what: strings.permissions.default, more: text.planDefaultHint },
  acceptEdits: { what: strings.permissions.acceptEdits, more: text.planAcceptEditsHint },
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
  return policy === "supervised" && mode === "acceptEdits" ? text.planNotSupervised : undefined;
}
