import {
  atLeast,
  type DeviceRole,
  type IsolationProfile,
  type NewSession,
  type SessionChange,
} from "@signalbox/protocol";
import { Refusal } from "../engine.ts";

/** Modes of the agent's own in which somebody is still asked. */
const askingModes = new Set(["default", "plan", "acceptEdits"]);
/** Control requests that change what the agent may do or run. */
const strongRequests = new Set(["mcp_set_servers", "apply_flag_settings", "set_settings"]);

function refuse(what: string): never {
  throw approverNeeded(
    `A driver cannot ${what}. A device of the role approver or admin can: do it on the one you paired first.`,
  );
}

function approverNeeded(detail: string): Refusal {
  return new Refusal(403, "approver-needed", detail);
}

/** A driver sends and starts; what widens an agent's hands takes an approver. */
export function limitCreation(role: DeviceRole, options: NewSession): void {
  if (atLeast(role, "approver")) return;
  if (options.mcpServers) refuse("name MCP servers");
  if (options.environment !== undefined) refuse("choose an environment");
  limitPolicy(role, options);
  limitIsolation(role, options.isolation, "default");
  limitMode(options.mode);
}

export function limitPolicy(role: DeviceRole, change: Pick<SessionChange, "policy">): void {
  if (atLeast(role, "approver")) return;
  if (change.policy === "autonomous") refuse("set the policy autonomous");
}

/** A driver may choose a stricter isolation than there is, and no other. */
export function limitIsolation(
  role: DeviceRole,
  wanted: IsolationProfile | undefined,
  now: IsolationProfile,
): void {
  if (atLeast(role, "approver") || wanted === undefined || wanted === now) return;
  const isStricter = now === "off" || (now === "default" && wanted !== "off");
  if (!isStricter) refuse(`change the isolation from ${now} to ${wanted}`);
}

export function limitRequest(
  role: DeviceRole,
  subtype: string,
  fields: Record<string, unknown>,
): void {
  if (atLeast(role, "approver")) return;
  if (strongRequests.has(subtype)) refuse(`send the agent "${subtype}"`);
  if (subtype === "set_permission_mode") limitMode(fields.mode);
}

function limitMode(mode: unknown): void {
  if (mode === undefined || (typeof mode === "string" && askingModes.has(mode))) return;
  throw approverNeeded(
    `The mode ${JSON.stringify(mode)} cannot be set by anybody: the agent would not ask in it. Instead a device of the role approver or admin can set the policy "autonomous", which ends by itself and is always shown.`,
  );
}
