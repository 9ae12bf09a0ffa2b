import type { DeviceView } from "@signalbox/api";
import { useEffect } from "react";
import { signal } from "../store/signal.ts";
import { useAppContext } from "../store/app-context.tsx";

const CHECK_MS = 2000;

/** The number of devices that were paired while a code was shown. The device list reloads when it changes. */
export const pairedDevices = signal(0);

/** The device that was paired with a code: it has the code's role and did not exist before. */
function findPairedDevice(
  devices: readonly DeviceView[],
  before: ReadonlySet<string>,
  role: DeviceView["role"],
): DeviceView | undefined {
  return devices.find((device) => device.role === role && !before.has(device.id));
}

/** Waits for a device to use a pairing code while it is shown. */
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
    const timer = setInterval(() => void look().catch(() => undefined), CHECK_MS); // Tried again at the next interval.
    return () => {
      cancelled = true;
      clearInterval(timer);
    };
  }, [client, before, role, onUsed]);
}
