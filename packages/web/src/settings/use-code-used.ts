import type { DeviceView } from "@signalbox/api";
import { useEffect } from "react";
import { signal } from "../store/signal.ts";
import { useWorld } from "../store/app-context.tsx";

const LOOK_MS = 2000;

/** How often a device has come in that was waited for: the list of devices follows it. */
export const arrivals = signal(0);

/** Those that came in by a code: they have its role, and were not there before it. */
export function cameIn(
  devices: readonly DeviceView[],
  before: ReadonlySet<string>,
  role: DeviceView["role"],
): DeviceView | undefined {
  return devices.find((device) => device.role === role && !before.has(device.id));
}

/** Looks for the device that uses a code, for as long as the code is shown. */
export function useCodeUse(
  before: ReadonlySet<string>,
  role: DeviceView["role"],
  onUsed: (device: DeviceView) => void,
): void {
  const { client } = useWorld();
  useEffect(() => {
    let left = false;
    const look = async () => {
      const device = cameIn(await client.devices(), before, role);
      if (!device || left) return;
      arrivals.set(arrivals.get() + 1);
      onUsed(device);
    };
    const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS); // the next look may see
    return () => {
      left = true;
      clearInterval(timer);
    };
  }, [client, before, role, onUsed]);
}
