import type { Session } from "@signalbox/client";
import { Ellipsis } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { inert } from "../text/visible.ts";
import { strings } from "../strings/strings.ts";
import { useMayDrive } from "../store/use-hub.ts";

const SessionMenuPopup = lazy(() => import("./session-menu-popup.tsx"));

/** The menu button of a session. The menu is loaded when it is opened. */
export function SessionMenu({ session }: { session: Session }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (!useMayDrive()) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="button button-ghost button-icon relative z-1 shrink-0"
        aria-label={strings.menus.sessionActions(inert(session.title))}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        <Ellipsis aria-hidden="true" />
      </button>
      {open && (
        <Suspense fallback={null}>
          <SessionMenuPopup session={session} anchor={button} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
