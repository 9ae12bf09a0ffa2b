import type { DeviceRole } from "@signalbox/api";

/** Each role includes the one before it. */
const roles: readonly DeviceRole[] = ["viewer", "driver", "approver", "admin"];

/** Whether a device may revoke one of this role. */
export function mayRevoke(own: string, target: string): boolean {
  const needed = target === "runner" ? "approver" : target;
  return listGrantableRoles(own).some((role) => role === needed);
}

/** The roles that a device may give another one: at most its own. */
export function listGrantableRoles(own: string): readonly DeviceRole[] {
  return roles.slice(0, roles.findIndex((role) => role === own) + 1);
}
