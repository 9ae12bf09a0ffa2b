import { readPairingRole } from "@signalbox/client";
import type { DeviceRole } from "@signalbox/api";
import { useEffect, useState } from "react";
import { isWholeCode } from "./code.ts";

/** Whom the code would make of this device, as soon as it is whole; undefined: not known. */
export function usePairsAs(code: string): DeviceRole | undefined {
  const [told, setTold] = useState<{ readonly code: string; readonly role: DeviceRole }>();
  useEffect(() => {
    if (!isWholeCode(code)) return undefined;
    let left = false;
    const ask = async () => {
      const { role } = await readPairingRole({ url: location.origin, code: code.trim() });
      if (!left && role !== "runner") setTold({ code, role });
    };
    ask().catch(() => undefined); // pairing tells what is wrong with it
    return () => {
      left = true;
    };
  }, [code]);
  return told?.code === code ? told.role : undefined;
}
