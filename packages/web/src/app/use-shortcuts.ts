import { useEffect } from "react";
import { type Shortcut, matchShortcut } from "../palette/shortcuts.ts";
import { pendingConfirmation } from "../navigation/confirm.ts";
import { openHelp, openNewSession, openPalette, overlay } from "../navigation/overlays.ts";
import { go } from "../navigation/router.ts";
import { belongsToTyping } from "../browser/typing.ts";

const CHORD_MS = 1000;

function runShortcut(wish: Shortcut): void {
  switch (wish) {
    case "palette":
      return openPalette();
    case "new":
      return openNewSession();
    case "board":
      return go("/");
    case "inbox":
      return go("/inbox");
    case "settings":
      return go("/settings");
    case "help":
      return openHelp();
    case "focus":
      return document
        .querySelector<HTMLElement>("[data-role=composer], [data-role=filter]")
        ?.focus();
    default:
      return wish satisfies never;
  }
}

/** Handles the global keyboard shortcuts. `mayDrive`: this device may do more than look. */
export function useShortcuts(mayDrive: boolean): void {
  useEffect(() => {
    let before: { key: string; at: number } | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const chord = before && event.timeStamp - before.at < CHORD_MS ? before.key : undefined;
      before = { key: event.key, at: event.timeStamp };
      const wish = matchShortcut(event, chord, belongsToTyping(event));
      if (wish === undefined || pendingConfirmation.get() || (overlay.get() && wish !== "palette"))
        return;
      if (wish === "new" && !mayDrive) return;
      event.preventDefault();
      before = undefined;
      runShortcut(wish);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [mayDrive]);
}
