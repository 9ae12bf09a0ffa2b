import { requireAskingMode } from "../asks/asking-mode.ts";
import { HubRefusal } from "../refusal.ts";
import { requestPermissions } from "../session/driver-limits.ts";
import { requireEffort } from "../session/session-options.ts";
import type { Session } from "../session/session.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The control request that is sent to the agent for a person's request. Refuses kinds that the hub does not
 * pass on.
 */
export function toAgentRequest(
  subtype: string,
  fields: Fields,
): { subtype: string; fields: Fields } {
  if (!requestPermissions.has(subtype)) {
    const known = [...requestPermissions.keys()].join(", ");
    const detail = `The request "${subtype}" is not supported. Use one of: ${known}.`;
    throw new HubRefusal(422, "no-such-request", detail);
  }
  if (subtype === "stop_task" && typeof fields["task_id"] !== "string") {
    throw new HubRefusal(422, "no-such-task", 'Which task is to be stopped is said by "task_id".');
  }
  if (subtype === "set_permission_mode") requireAskingMode(fields["mode"] ?? null);
  return subtype === "set_effort" ? createEffortRequest(fields["effort"]) : { subtype, fields };
}

/**
 * The agent takes a new effort only as one of its settings, and effort is the only setting that may be
 * changed this way (seen on 2.1.325).
 */
function createEffortRequest(effort: unknown) {
  if (effort !== null) requireEffort(effort);
  return { subtype: "apply_flag_settings", fields: { settings: { effortLevel: effort } } };
}

/** Stores the chosen model or effort in the session's options, so that the next run starts with them. */
export async function saveChoice(session: Session, subtype: string, fields: Fields): Promise<void> {
  if (subtype !== "set_effort" && subtype !== "set_model") return;
  const name = subtype === "set_effort" ? "effort" : "model";
  const { [name]: _, ...others } = session.row.options;
  const chosen = fields[name];
  const options = typeof chosen === "string" ? { ...others, [name]: chosen } : others;
  await session.write({ options });
}

/** Whether requests of this kind are recorded in the audit log. */
export function isAudited(subtype: string): boolean {
  return subtype.startsWith("set_") || subtype === "rewind_files" || subtype === "stop_task";
}
