import { type KeyboardEvent, useEffect, useState } from "react";

/** A thing that may run on the person's machine is not allowed in the moment it appears (C16). */
export const ARM_MS = 500;

/** True once what `key` names has been in sight for a while; again from the start when the page comes back. */
export function useArmed(key: string): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const arm = () => {
      clearTimeout(timer);
      setArmed(undefined);
      if (document.visibilityState === "visible") timer = setTimeout(() => setArmed(key), ARM_MS);
    };
    arm();
    document.addEventListener("visibilitychange", arm);
    window.addEventListener("focus", arm);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", arm);
      window.removeEventListener("focus", arm);
    };
  }, [key]);
  return armed === key;
}

/** For buttons that decide: a key that is held down presses nothing. */
export function refuseRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
