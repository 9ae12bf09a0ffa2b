import type { DeviceView } from "@signalbox/api";
import { useEffect } from "react";
import { signal } from "../store/signal.ts";
import { useAppContext } from "../store/app-context.tsx";

const CHECK_MS = 2000;

/** How often a device has come in that was waited for: the list of devices follows it. */
export const pairedDevices = signal(0);

/** Those that came in by a code: they have its role, and were not there before it. */
function findPairedDevice(
  devices: readonly DeviceView[],
  before: ReadonlySet<string>,
  role: DeviceView["role"],
): DeviceView | undefined {
  return devices.find((device) => device.role === role && !before.has(device.id));
}

/** Looks for the device that uses a code, for as long as the code is shown. */
export function useCodeUsed(
  before: ReadonlySet<string>,
  role: DeviceView["role"],
  onUsed: (device: DeviceView) => void,
): void {
  const { client } = useAppContext();
  useEffect(() => {
    let cancelled = false;
    const look = async () => {
      const device = findPairedDevice(await client.devices(), before, role);
      if (!device || cancelled) return;
      pairedDevices.set(pairedDevices.get() + 1);
      onUsed(device);
    };
    const timer = setInterval(() => void look().catch(() => undefined), CHECK_MS); // the next look may see
    return () => {
      cancelled = true;
      clearInterval(timer);
    };
  }, [client, before, role, onUsed]);
}
