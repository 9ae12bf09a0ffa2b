import { type RefObject, useEffect, useRef } from "react";
import { go, sessionPath } from "./router.ts";
import { isTouchOnly } from "../browser/screen.ts";

/** The session whose composer gets the focus when it is shown. */
let sessionToFocus: string | undefined;

/** Opens a session and focuses its composer. */
export function openSessionToWrite(session: string): void {
  sessionToFocus = session;
  go(sessionPath(session));
}

/** Whether this session's composer should take the focus. Returns true once. */
export function takeComposerFocus(session: string): boolean {
  const wanted = sessionToFocus === session && !isTouchOnly();
  sessionToFocus = undefined;
  return wanted;
}

/** Moves the focus to the composer. */
export function focusComposer(): void {
  if (!isTouchOnly()) document.querySelector<HTMLElement>("[data-role=composer]")?.focus();
}

/** Moves the focus to the main area after navigation, if the focused element has disappeared. */
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
