import { SlidersHorizontal } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { strings } from "../strings/strings.ts";

const OpenControlsSheet = lazy(() => import("./open-controls-sheet.tsx"));

/** Model, effort and permission on a phone: a button that opens them as a sheet from below. */
export function ControlsSheet({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button button-ghost button-icon shrink-0"
        aria-label={strings.composer.options}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-role="composer-options"
        onClick={() => setOpen(true)}
      >
        <SlidersHorizontal aria-hidden="true" />
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <OpenControlsSheet onClose={() => setOpen(false)}>{children}</OpenControlsSheet>
        </Suspense>
      )}
    </>
  );
}
