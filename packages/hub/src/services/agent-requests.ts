import { requireAskingMode } from "../asks/asking-mode.ts";
import { Refusal } from "../refusal.ts";
import { requestPermissions } from "../session/driver-limits.ts";
import type { Session } from "../session/session.ts";

const efforts: ReadonlySet<unknown> = new Set(["low", "medium", "high", "xhigh", "max", null]);

type Fields = Readonly<Record<string, unknown>>;

/** The control request that the agent gets for a person's request. Refuses one that is not passed on. */
export function toAgentRequest(
  subtype: string,
  fields: Fields,
): { subtype: string; fields: Fields } {
  if (!requestPermissions.has(subtype)) {
    const known = [...requestPermissions.keys()].join(", ");
    const detail = `The request "${subtype}" is not supported. Use one of: ${known}.`;
    throw new Refusal(422, "no-such-request", detail);
  }
  if (subtype === "stop_task" && typeof fields["task_id"] !== "string") {
    throw new Refusal(422, "no-such-task", 'Which task is to be stopped is said by "task_id".');
  }
  if (subtype === "set_permission_mode") requireAskingMode(fields["mode"] ?? null);
  return subtype === "set_effort" ? createEffortRequest(fields["effort"]) : { subtype, fields };
}

/** Effort is one of the agent's settings, and the only one of them that may be set so (2.1.325). */
function createEffortRequest(effort: unknown) {
  if (!efforts.has(effort)) {
    const detail = `The effort ${JSON.stringify(effort)} is not valid. Use low, medium, high, xhigh, max, or null for the agent's default.`;
    throw new Refusal(422, "no-such-effort", detail);
  }
  return { subtype: "apply_flag_settings", fields: { settings: { effortLevel: effort } } };
}

/** A model and an effort that were chosen hold for the next run, too. */
export async function saveChoice(session: Session, subtype: string, fields: Fields): Promise<void> {
  if (subtype !== "set_effort" && subtype !== "set_model") return;
  const name = subtype === "set_effort" ? "effort" : "model";
  const { [name]: _, ...others } = session.row.options;
  const chosen = fields[name];
  const options = typeof chosen === "string" ? { ...others, [name]: chosen } : others;
  await session.write({ options });
}

/** What is written into the audit log. */
export function isAudited(subtype: string): boolean {
  return subtype.startsWith("set_") || subtype === "rewind_files" || subtype === "stop_task";
}
