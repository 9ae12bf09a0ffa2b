import {
  isRoleAtLeast,
  type DeviceRole,
  type IsolationProfile,
  type NewSession,
  type PolicyName,
  type SessionChange,
  type SessionDefaults,
} from "@signalbox/api";
import { policies } from "@signalbox/host";
import type { Actor } from "../actor.ts";
import type { SessionRow } from "../store/store.ts";
import { isLooser } from "../policy-order.ts";
import { Refusal } from "../refusal.ts";

/*
 * What a driver may do with a session, and what takes an approver. The table of docs/spec/http.md
 * (HH60) says the same, and a test compares the two. Whatever is not in here takes an approver.
 */

/** `driver`: a driver may. `limited`: a driver may within limits. `approver`: a driver may not. */
export type Permission = "driver" | "limited" | "approver";

/** The options of a new session. */
export const creationPermissions: Readonly<Record<keyof NewSession, Permission>> = {
  folder: "limited", // below the allowed folders
  title: "driver",
  agent: "driver", // agents are set by an admin
  driver: "driver",
  runner: "driver",
  model: "driver",
  mode: "limited", // at most default
  effort: "driver",
  policy: "limited", // at most default
  isolation: "limited", // default or a stricter one
  worktree: "limited", // below the allowed folders, or in the folder of worktrees beside one
  addDirs: "limited", // below the allowed folders
  mcpServers: "approver",
  environment: "approver",
  askLimitMinutes: "driver", // what nobody answers in time is denied
  bypassMinutes: "approver",
  confirmed: "driver", // means nothing without the policy autonomous
  prompt: "driver",
};

/** What can be changed of a session. */
export const changePermissions: Readonly<Record<keyof SessionChange, Permission>> = {
  title: "driver",
  pinned: "driver",
  archived: "driver",
  colour: "driver",
  policy: "limited", // to the same or a stricter one
  bypassMinutes: "approver",
  confirmed: "driver",
  driver: "driver",
  isolation: "limited", // to the same or a stricter one
};

/** The control requests that are passed on to an agent. */
export const requestPermissions: ReadonlyMap<string, Permission> = new Map([
  ["interrupt", "driver"],
  ["set_model", "driver"],
  ["set_effort", "driver"],
  ["set_max_thinking_tokens", "driver"],
  ["set_permission_mode", "limited"], // to the same or a stricter one
  ["get_context_usage", "driver"],
  ["mcp_status", "driver"],
  ["rewind_files", "driver"], // puts back what the agent itself has changed
  ["stop_task", "driver"],
  ["get_settings", "approver"], // may hold keys
  ["mcp_toggle", "approver"],
  ["mcp_reconnect", "approver"], // starts the server's program again
]);

/** The agent's own modes in which a person is asked, from strict to loose. */
const modesFromStrict: readonly unknown[] = ["plan", "default", "acceptEdits"];

/** The loosest policy and mode that a driver may choose for a new session. */
const DRIVER_LIMIT = "default";

export function isDriver({ role }: { readonly role: DeviceRole }): boolean {
  return !isRoleAtLeast(role, "approver");
}

/** The policy of a new session that names none: the hub's default, for a driver at most its limit. */
export function getDefaultPolicy(by: Actor, { permission }: SessionDefaults): PolicyName {
  return isDriver(by) && isLooser(permission, DRIVER_LIMIT) ? DRIVER_LIMIT : permission;
}

/** Refuses the options that the maker of a session may not choose. Folders are looked at elsewhere. */
export function checkCreation(by: Actor, options: NewSession): void {
  if (!isDriver(by)) return;
  const { policy, mode } = options;
  for (const name of listGiven(options)) {
    if (creationPermissions[name] === "approver") refuse(`choose "${name}" for a session`);
  }
  if (policy !== undefined && isLooser(policy, DRIVER_LIMIT)) {
    refuse(`start a session under the policy ${policy}`);
  }
  if (mode !== undefined) checkMode(mode, DRIVER_LIMIT, "start a session");
  checkIsolation(options.isolation, "default");
}

/** How a session stands before it is changed. */
export interface PermissionState {
  readonly policy: PolicyName;
  readonly isolation: IsolationProfile;
  /** The agent's own mode, if it runs and has reported one. */
  readonly mode: string | undefined;
}

/** A driver may make a session's policy and isolation stricter, and not looser. */
export function checkChange(by: Actor, change: SessionChange, standing: PermissionState): void {
  if (!isDriver(by)) return;
  for (const name of listGiven(change)) {
    if (changePermissions[name] === "approver") refuse(`change "${name}" of a session`);
  }
  checkIsolation(change.isolation, standing.isolation);
  const { policy } = change;
  const { policy: current, mode } = standing;
  if (policy !== undefined && isLooser(policy, current)) {
    refuse(`loosen a session's policy from ${current} to ${policy}`);
  }
  if (policy === undefined || policy === current || mode === undefined) return;
  const next = getModeAfterChange(current, policy);
  if (next !== undefined) checkMode(next, mode, `set the policy ${policy}, which puts the agent`);
}

/** The mode into which a running agent is put by a change of its policy. */
function getModeAfterChange(from: PolicyName, to: PolicyName): string | undefined {
  const modes = [policies[from].permissionMode, policies[to].permissionMode];
  // Under supervised everything but reading is asked, whatever the mode is.
  if (to === "supervised" || modes.every((mode) => mode === undefined)) return undefined;
  return modes[1] ?? "default";
}

/** A driver may choose a stricter isolation than there is, and no other. */
function checkIsolation(wanted: IsolationProfile | undefined, now: IsolationProfile): void {
  if (wanted === undefined || wanted === now) return;
  const isStricter = now === "off" || (now === "default" && wanted !== "off");
  if (!isStricter) refuse(`change the isolation from ${now} to ${wanted}`);
}

/** `currentMode`: the agent's own mode, if it has reported one. */
export function checkRequest(
  by: Actor,
  subtype: string,
  fields: Readonly<Record<string, unknown>>,
  currentMode: string | undefined,
): void {
  if (!isDriver(by)) return;
  const permission = requestPermissions.get(subtype) ?? "approver";
  if (permission === "approver") refuse(`send the agent "${subtype}"`);
  if (subtype === "set_permission_mode") {
    checkMode(fields["mode"], currentMode ?? "plan", "switch a running agent");
  }
}

/** Policy, mode and isolation with which a fork begins: its maker gets none that it could not choose. */
export function getForkPolicy(by: Actor, policy: PolicyName): PolicyName {
  if (policy === "autonomous") return DRIVER_LIMIT; // that one is always of a single session
  return isDriver(by) && isLooser(policy, DRIVER_LIMIT) ? DRIVER_LIMIT : policy;
}
export function getForkOptions<T extends Pick<NewSession, "mode" | "isolation">>(
  by: Actor,
  { mode, isolation, ...options }: T,
) {
  const mayKeepMode = mode !== undefined && (!isDriver(by) || isAtMost(mode, DRIVER_LIMIT));
  const mayKeepIsolation = isolation !== undefined && (!isDriver(by) || isolation !== "off");
  return {
    ...options,
    ...(mayKeepMode && { mode }),
    ...(mayKeepIsolation && { isolation }),
  };
}

function checkMode(mode: unknown, most: string, what: string): void {
  if (!modesFromStrict.includes(mode)) return; // nobody can set it, and the refusal says so
  if (!isAtMost(mode, most)) refuse(`${what} in the mode ${String(mode)}`);
}

function isAtMost(mode: unknown, most: string): boolean {
  const at = modesFromStrict.indexOf(mode);
  const limit = modesFromStrict.indexOf(most);
  // A mode that is not known here may be any: only the strictest is stricter for certain.
  return at >= 0 && at <= Math.max(limit, 0);
}

/** The names of the options that were given. */
function listGiven<T extends object>(options: T): (keyof T)[] {
  return (Object.keys(options) as (keyof T)[]).filter((name) => options[name] !== undefined);
}

function refuse(what: string): never {
  const detail = `A driver cannot ${what}, and the command line is a driver. Use a device with the role approver or admin, such as the one you paired first.`;
  throw new Refusal(403, "approver-needed", detail);
}

/** Whether the runs of a session start below the allowed folders alone: a driver made it. */
export function isLimitedToAllowedFolders({ driver, options: { startedBy } }: SessionRow): boolean {
  // Whoever dials in has started the agent: its folder is nothing that the hub decides.
  return driver !== "relay" && startedBy !== undefined && isDriver({ role: startedBy });
}
