import { type KeyboardEvent, useEffect, useState } from "react";
import { arming, type Later } from "./arming.ts";

const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** True once what `key` names has been in sight for a while; again from the start when the page comes back. */
export function useArmed(key: string): boolean {
  const [armed, setArmed] = useState<string>();
  useEffect(() => {
    const { begin, end } = arming((is) => setArmed(is ? key : undefined), later);
    const again = () => begin(document.visibilityState === "visible");
    again();
    document.addEventListener("visibilitychange", again);
    window.addEventListener("focus", again);
    return () => {
      end();
      document.removeEventListener("visibilitychange", again);
      window.removeEventListener("focus", again);
    };
  }, [key]);
  return armed === key;
}

/** For buttons that decide: a key that is held down presses nothing. */
export function refuseRepeat(event: KeyboardEvent): void {
  if (event.repeat) event.preventDefault();
}
