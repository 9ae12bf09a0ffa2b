import type { Session } from "@signalbox/client";
import type { PolicyName } from "@signalbox/api";
import { requestConfirmation } from "../navigation/confirm.ts";
import { strings } from "../strings/strings.ts";

const text = strings.permissions;

interface PermissionOption {
  readonly value: PolicyName;
  readonly label: string;
  readonly hint: string;
  readonly isDanger?: boolean;
}

/** The permissions of a session in the order of the picker. */
const permissionOptions: readonly PermissionOption[] = [
  { value: "default", label: text.default, hint: text.defaultHint },
  { value: "accept-edits", label: text.acceptEdits, hint: text.acceptEditsHint },
  { value: "plan", label: text.plan, hint: text.planHint },
  { value: "supervised", label: text.supervised, hint: text.supervisedHint },
  { value: "autonomous", label: text.autonomous, hint: text.autonomousHint, isDanger: true },
];

/** From the strictest to the loosest. */
const byStrictness: readonly PolicyName[] = [
  "supervised",
  "plan",
  "default",
  "accept-edits",
  "autonomous",
];

/** The permissions that a device may choose: drivers may only choose the current one or a stricter one. */
export function listPermissions(
  current: PolicyName,
  mayLoosen: boolean,
): readonly PermissionOption[] {
  const limit = byStrictness.indexOf(current);
  return permissionOptions.filter(({ value }) => mayLoosen || byStrictness.indexOf(value) <= limit);
}

/** What a default becomes for a device that may not loosen permissions: the hub gives it `default` at most. */
export function limitPermission(permission: PolicyName, mayLoosen: boolean): PolicyName {
  const isLooser = byStrictness.indexOf(permission) > byStrictness.indexOf("default");
  return isLooser && !mayLoosen ? "default" : permission;
}

/** Permissions that the agent's own mode stands for. The agent changes its mode by itself, for instance after a plan. */
const permissionsByMode: Readonly<Record<string, PolicyName>> = {
  default: "default",
  acceptEdits: "accept-edits",
  plan: "plan",
};

/** The agent's own mode for each permission that is one. */
export const agentModes: Readonly<Partial<Record<PolicyName, string>>> = Object.fromEntries(
  Object.entries(permissionsByMode).map(([mode, permission]) => [permission, mode]),
);

/** The permission of a session, from its policy and the agent's current mode. */
export function currentPermission({
  policy,
  summary,
  options,
}: Pick<Session, "policy" | "options"> & {
  readonly summary: Pick<Session["summary"], "mode">;
}): PolicyName {
  if (policy === "autonomous" || policy === "supervised") return policy;
  const mode = summary.mode ?? options.mode;
  return (mode === undefined ? undefined : permissionsByMode[mode]) ?? policy;
}

/** Asks the person to confirm a permission if the hub requires it. Undefined if they declined. */
export async function confirmPermission(
  permission: PolicyName | undefined,
): Promise<{ confirmed?: true } | undefined> {
  if (permission !== "autonomous") return {};
  const isConfirmed = await requestConfirmation({
    title: text.confirmTitle,
    text: text.confirmText,
    confirmLabel: text.confirmButton,
  });
  return isConfirmed ? { confirmed: true } : undefined;
}

/** The permissions through which a key goes, as in Claude Code's own terminal. */
const permissionCycle: readonly PolicyName[] = ["default", "accept-edits", "plan"];

/**
 * The permission after the current one, among those that the device may choose. From any other permission
 * the cycle starts anew.
 */
export function nextPermission(
  current: PolicyName,
  choosable: readonly PermissionOption[] = permissionOptions,
): PolicyName {
  const cycle = permissionCycle.filter((each) => choosable.some(({ value }) => value === each));
  return cycle[(cycle.indexOf(current) + 1) % cycle.length] ?? current;
}
