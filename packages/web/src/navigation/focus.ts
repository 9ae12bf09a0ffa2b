import { type RefObject, useEffect, useRef } from "react";
import { go, sessionPath } from "./router.ts";
import { isTouchOnly } from "../browser/screen.ts";

/** The session whose composer is to have the focus when it comes. */
let sessionToFocus: string | undefined;

/** To a session in which something is to be said at once. */
export function openSessionToWrite(session: string): void {
  sessionToFocus = session;
  go(sessionPath(session));
}

/** Whether the composer of this session is wanted; true once. */
export function takeComposerFocus(session: string): boolean {
  const wanted = sessionToFocus === session && !isTouchOnly();
  sessionToFocus = undefined;
  return wanted;
}

/** To what is being written: what had the focus has done its work. */
export function focusComposer(): void {
  if (!isTouchOnly()) document.querySelector<HTMLElement>("[data-role=composer]")?.focus();
}

/** Who goes elsewhere in the page is there with the focus, too, where that which had it is gone. */
export function useFocusOnNavigation(path: string): RefObject<HTMLElement | null> {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    if (document.activeElement === document.body) main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
