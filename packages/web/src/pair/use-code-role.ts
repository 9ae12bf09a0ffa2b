import { readPairingRole } from "@signalbox/client";
import type { DeviceRole } from "@signalbox/api";
import { useEffect, useState } from "react";
import { isCompleteCode } from "./code.ts";

/** Whom the code would make of this device, as soon as it is whole; undefined: not known. */
export function useCodeRole(code: string): DeviceRole | undefined {
  const [told, setTold] = useState<{ readonly code: string; readonly role: DeviceRole }>();
  useEffect(() => {
    if (!isCompleteCode(code)) return undefined;
    let cancelled = false;
    const ask = async () => {
      const { role } = await readPairingRole({ url: location.origin, code: code.trim() });
      if (!cancelled && role !== "runner") setTold({ code, role });
    };
    ask().catch(() => undefined); // pairing tells what is wrong with it
    return () => {
      cancelled = true;
    };
  }, [code]);
  return told?.code === code ? told.role : undefined;
}
