import type { DeviceRole } from "@signalbox/api";

/** What a device of each role may do. */
export const roles: readonly { readonly value: DeviceRole; readonly words: string }[] = [
  { value: "viewer", words: "look" },
  { value: "driver", words: "look, send, start and stop" },
  { value: "approver", words: "look, send, start, stop, and answer requests" },
  { value: "admin", words: "everything, devices and agents too" },
];

/** Who it becomes, with its article. */
export function becomes(role: DeviceRole): string {
  return `${/^[aeiou]/.test(role) ? "an" : "a"} ${role}`;
}
