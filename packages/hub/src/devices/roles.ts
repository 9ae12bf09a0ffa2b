import { isRoleAtLeast, type DeviceRole } from "@signalbox/api";
import type { DeviceRow } from "../store/store.ts";

export type AnyRole = DeviceRow["role"];

/**
 * The role that a device needs to pair or revoke a device of each role. The command line has the role driver.
 */
const makers: Record<AnyRole, DeviceRole> = {
  viewer: "driver",
  driver: "driver",
  approver: "approver",
  runner: "approver",
  admin: "admin",
};

export function mayManage(role: DeviceRole, target: AnyRole): boolean {
  return isRoleAtLeast(role, makers[target]);
}

export function getMakerRole(target: AnyRole): DeviceRole {
  return makers[target];
}
