import {
  isRoleAtLeast,
  type DeviceRole,
  type NewCommit,
  type NewSession,
  type PolicyName,
  type SessionChange,
  type SessionDefaults,
  type SessionOptionsChange,
  type WorktreeRemoval,
} from "@signalbox/api";
import type { IsolationProfile } from "@signalbox/api/constants";
import { policies } from "@signalbox/host";
import type { Actor } from "../actor.ts";
import type { SessionRow } from "../store/store.ts";
import { isLooser } from "../policy-order.ts";
import { HubRefusal } from "../refusal.ts";

/*
 * What a driver may do with a session, and what takes an approver. Whatever is not listed here takes an
 * approver. The table of docs/spec/http.md (HH60) says the same, and a test compares the two.
 */

/**
 * `driver`: drivers may do it. `limited`: drivers may do it within limits. `approver`: drivers may not do it.
 */
type Permission = "driver" | "limited" | "approver";

/** The permission that each option of a new session takes. */
export const creationPermissions: Readonly<Record<keyof NewSession, Permission>> = {
  folder: "limited", // below the allowed folders
  title: "driver",
  agent: "driver", // only an admin sets up agents
  driver: "driver",
  runner: "driver",
  model: "driver",
  fallbackModel: "driver",
  mode: "limited", // at most default
  effort: "driver",
  policy: "limited", // at most default
  isolation: "limited", // default or a stricter one
  worktree: "limited", // below the allowed folders, or in the folder of worktrees beside one
  addDirs: "limited", // below the allowed folders
  mcpServers: "approver",
  environment: "approver",
  variables: "approver",
  systemPrompt: "driver", // says no more than a message may say
  maxTurns: "driver",
  maxBudgetUsd: "driver",
  jsonSchema: "driver",
  askLimitMinutes: "driver", // an ask that nobody answers in time is denied
  bypassMinutes: "approver",
  withoutDefaults: "driver", // any of them can be named with another value, too
  confirmed: "driver", // has no meaning without the policy autonomous
  prompt: "driver",
};

/** The permission that each change of a session takes. */
export const changePermissions: Readonly<Record<keyof SessionChange, Permission>> = {
  title: "driver",
  pinned: "driver",
  archived: "driver",
  labels: "driver",
  snoozedUntil: "driver",
  trashed: "driver",
  colour: "driver",
  policy: "limited", // to the same or a stricter one
  bypassMinutes: "approver",
  confirmed: "driver",
  driver: "driver",
  isolation: "limited", // to the same or a stricter one
};

/** The permission that each change of what the agent is started with takes. */
export const optionPermissions: Readonly<Record<keyof SessionOptionsChange, Permission>> = {
  agent: "driver",
  driver: "driver",
  model: "driver",
  fallbackModel: "driver",
  mode: "limited", // to the same or a stricter one
  effort: "driver",
  isolation: "limited", // to the same or a stricter one
  addDirs: "limited", // new ones below the allowed folders
  mcpServers: "approver",
  environment: "approver",
  variables: "approver",
  systemPrompt: "driver",
  maxTurns: "driver",
  maxBudgetUsd: "driver",
  jsonSchema: "driver",
  askLimitMinutes: "driver",
};

/** The permission that each control request takes which the hub passes on to an agent. */
export const requestPermissions: ReadonlyMap<string, Permission> = new Map([
  ["interrupt", "driver"],
  ["set_model", "driver"],
  ["set_effort", "driver"],
  ["set_max_thinking_tokens", "driver"],
  ["set_permission_mode", "limited"], // to the same or a stricter one
  ["get_context_usage", "driver"],
  ["mcp_status", "driver"],
  ["rewind_files", "driver"], // restores files that the agent itself has changed
  ["stop_task", "driver"],
  ["get_settings", "approver"], // the answer may hold keys
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

/**
 * The policy of a new session that names none: the hub's default, but for a driver at most `DRIVER_LIMIT`.
 */
export function getDefaultPolicy(by: Actor, { permission }: SessionDefaults): PolicyName {
  return isDriver(by) && isLooser(permission, DRIVER_LIMIT) ? DRIVER_LIMIT : permission;
}

/** Refuses options that the creator of a session may not choose. Folders are checked elsewhere. */
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

/** The permissions that a session has before a change. */
export interface PermissionState {
  readonly policy: PolicyName;
  readonly isolation: IsolationProfile;
  /** The agent's own mode; undefined unless it runs and has reported one. */
  readonly mode: string | undefined;
}

/** Refuses a change that loosens a session's policy or isolation if a driver requests it. */
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

/** Refuses a change of options that loosens what a session's agent is started with. */
export function checkOptionsChange(
  by: Actor,
  change: SessionOptionsChange,
  { mode = DRIVER_LIMIT, isolation = "default" }: Pick<NewSession, "mode" | "isolation">,
): void {
  if (!isDriver(by)) return;
  for (const name of listGiven(change)) {
    if (optionPermissions[name] === "approver") refuse(`change "${name}" of a session`);
  }
  // Null stands for the default.
  if (change.mode !== undefined) checkMode(change.mode ?? DRIVER_LIMIT, mode, "start an agent");
  if (change.isolation !== undefined) checkIsolation(change.isolation ?? "default", isolation);
}

/** Refuses to run the hooks of a repository for a driver: an agent may have written them since the folder was trusted. */
export function checkCommit(by: Actor, { hooks }: NewCommit): void {
  if (isDriver(by) && hooks !== undefined && hooks !== "skip") refuse("run hooks of a repository");
}

/** Refuses a driver who gives up work that is nowhere else. */
export function checkWorktreeRemoval(by: Actor, { discard }: WorktreeRemoval): void {
  if (isDriver(by) && discard) refuse("give up work that is not committed or not pushed");
}

/** The mode that a running agent is put into when its policy changes. */
function getModeAfterChange(from: PolicyName, to: PolicyName): string | undefined {
  const modes = [policies[from].permissionMode, policies[to].permissionMode];
  // Under supervised a person is asked about everything but reading, in whichever mode the agent is.
  if (to === "supervised" || modes.every((mode) => mode === undefined)) return undefined;
  return modes[1] ?? "default";
}

/** Refuses any isolation that is not stricter than the current one. */
function checkIsolation(wanted: IsolationProfile | undefined, now: IsolationProfile): void {
  if (wanted === undefined || wanted === now) return;
  const isStricter = now === "off" || (now === "default" && wanted !== "off");
  if (!isStricter) refuse(`change the isolation from ${now} to ${wanted}`);
}

/**
 * Refuses a control request that the caller may not send. `currentMode` is the agent's own mode, if it has
 * reported one.
 */
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

/** The policy with which a fork begins. Its creator gets no policy that they could not choose themselves. */
export function getForkPolicy(by: Actor, policy: PolicyName): PolicyName {
  if (policy === "autonomous") return DRIVER_LIMIT; // autonomous is granted to one session at a time
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
  if (!modesFromStrict.includes(mode)) return; // nobody may set this mode, which the refusal explains
  if (!isAtMost(mode, most)) refuse(`${what} in the mode ${String(mode)}`);
}

function isAtMost(mode: unknown, most: string): boolean {
  const at = modesFromStrict.indexOf(mode);
  const limit = modesFromStrict.indexOf(most);
  // An unknown mode may allow anything, so only the strictest mode is known to be stricter.
  return at >= 0 && at <= Math.max(limit, 0);
}

/** The names of the options that have a value. */
function listGiven<T extends object>(options: T): (keyof T)[] {
  return (Object.keys(options) as (keyof T)[]).filter((name) => options[name] !== undefined);
}

function refuse(what: string): never {
  const detail = `A driver cannot ${what}, and the command line is a driver. Use a device with the role approver or admin, such as the one you paired first.`;
  throw new HubRefusal(403, "approver-needed", detail);
}

/** Whether the session's runs may only start below the allowed folders, because a driver made it. */
export function isLimitedToAllowedFolders({ driver, options: { startedBy } }: SessionRow): boolean {
  // An agent that dials in was started outside of the hub, so the hub does not decide about its folder.
  return driver !== "relay" && startedBy !== undefined && isDriver({ role: startedBy });
}
