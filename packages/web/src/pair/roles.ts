import type { DeviceRole } from "@signalbox/api";

/** What a device of each role may do. */
export const roles: readonly { readonly value: DeviceRole; readonly label: string }[] = [
  { value: "viewer", label: "look" },
  { value: "driver", label: "look, send, start and stop" },
  { value: "approver", label: "look, send, start, stop, and answer requests" },
  { value: "admin", label: "everything, devices and agents too" },
];

/** A role with its article. */
export function roleWithArticle(role: DeviceRole): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}
