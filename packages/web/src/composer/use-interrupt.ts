import type { Session } from "@signalbox/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { isBusy } from "@signalbox/client";
import { useReachable } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { useAppContext } from "../store/app-context.tsx";

const text = strings.composer;

/** Two presses of Escape within this time interrupt the turn. */
const DOUBLE_PRESS_MS = 800;

interface InterruptControl {
  readonly interrupt: () => void;
  /** The label of the button, which also shows progress. */
  readonly label: string;
  /** Whether the turn can be interrupted now. */
  readonly ready: boolean;
}

/** Interrupts the turn, by a button or by pressing Escape twice. */
export function useInterrupt(session: Session): InterruptControl {
  const { client, toasts } = useAppContext();
  const { id } = session;
  const busy = isBusy(session);
  const queued = session.queue.filter(({ status }) => status === "waiting").length;
  const [armed, setArmed] = useState(false);
  const [asked, setAsked] = useState(false);
  const reachable = useReachable();
  const ready = reachable && !asked;
  const interrupt = useCallback(() => {
    setArmed(false);
    if (!reachable) toasts.showError(text.couldNotInterrupt, text.hubUnreachable);
    if (!ready) return;
    const end = async () => {
      setAsked(true);
      try {
        await client.interrupt(id);
      } catch (failure) {
        toasts.showError(text.couldNotInterrupt, failure);
      } finally {
        setAsked(false);
      }
    };
    void end();
  }, [client, toasts, id, reachable, ready]);
  const pressed = useRef(0);
  useEffect(() => {
    if (!busy) {
      setArmed(false);
      return undefined;
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.repeat || event.defaultPrevented) return;
      const now = event.timeStamp; // The time of the event, since a busy page may handle it late.
      if (now - pressed.current < DOUBLE_PRESS_MS) return interrupt();
      pressed.current = now;
      setArmed(true);
      clearTimeout(timer);
      timer = setTimeout(() => setArmed(false), DOUBLE_PRESS_MS);
    };
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", onKey);
      clearTimeout(timer);
    };
  }, [busy, interrupt]);
  const label = asked
    ? text.interrupting
    : armed
      ? text.interruptAgain
      : queued > 0
        ? text.interruptAndSend
        : text.interrupt;
  return { interrupt, label, ready };
}
