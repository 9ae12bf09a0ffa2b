import { readPairingRole } from "@signalbox/client";
import type { DeviceRole } from "@signalbox/api";
import { useEffect, useState } from "react";
import { isCompleteCode } from "./code.ts";

/** The role that a complete code gives to this device. Undefined if not known. */
export function useCodeRole(code: string): DeviceRole | undefined {
  const [found, setFound] = useState<{ readonly code: string; readonly role: DeviceRole }>();
  useEffect(() => {
    if (!isCompleteCode(code)) return undefined;
    let cancelled = false;
    const ask = async () => {
      const { role } = await readPairingRole({ url: location.origin, code: code.trim() });
      if (!cancelled && role !== "runner") setFound({ code, role });
    };
    ask().catch(() => undefined); // Pairing reports what is wrong with the code.
    return () => {
      cancelled = true;
    };
  }, [code]);
  return found?.code === code ? found.role : undefined;
}
