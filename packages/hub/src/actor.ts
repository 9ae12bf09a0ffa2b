import type { DeviceRole } from "@signalbox/api";

/** Who asks for an operation: a paired device and its role. */
export interface Actor {
  readonly device: string;
  readonly name: string;
  readonly role: DeviceRole;
}
