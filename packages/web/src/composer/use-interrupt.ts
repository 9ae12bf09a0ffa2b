import type { Session } from "@signalbox/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { isBusy } from "../store/lamp.ts";
import { useWorld } from "../store/world.tsx";

/** Two presses of Escape within this time are one wish. */
export const TWICE_MS = 800;

/** Ends the turn: by its button, or by Escape twice. `armed`: the next Escape does it. */
export function useInterrupt(session: Session): { interrupt: () => void; armed: boolean } {
  const { client, toasts } = useWorld();
  const { id } = session;
  const busy = isBusy(session);
  const [armed, setArmed] = useState(false);
  const interrupt = useCallback(() => {
    setArmed(false);
    void client
      .interrupt(id)
      .catch((failure: unknown) => toasts.fail("The turn was not interrupted", failure));
  }, [client, toasts, id]);
  const pressed = useRef(0);
  useEffect(() => {
    if (!busy) {
      setArmed(false);
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.repeat || event.defaultPrevented) return;
      const now = event.timeStamp; // when it was pressed: a busy page may hear of it late
      if (now - pressed.current < TWICE_MS) return interrupt();
      pressed.current = now;
      setArmed(true);
      clearTimeout(timer);
      timer = setTimeout(() => setArmed(false), TWICE_MS);
    };
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onKey);
      clearTimeout(timer);
    };
  }, [busy, interrupt]);
  return { interrupt, armed };
}
