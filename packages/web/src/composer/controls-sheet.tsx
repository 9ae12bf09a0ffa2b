import { Dialog } from "@base-ui/react/dialog";
import { SlidersHorizontal, X } from "lucide-react";
import type { ReactNode } from "react";
import { strings } from "../strings/strings.ts";

const text = strings.composer;

/** Model, effort and permission on a phone: a button that opens them as a sheet from below. */
export function ControlsSheet({ children }: { children: ReactNode }) {
  return (
    <Dialog.Root>
      <Dialog.Trigger
        className="button button-ghost button-icon shrink-0"
        aria-label={text.options}
        data-role="composer-options"
      >
        <SlidersHorizontal aria-hidden="true" />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop z-20" />
        <Dialog.Popup className="bottom-sheet" aria-label={text.options}>
          <div className="flex items-center pb-1">
            <Dialog.Title className="grow font-strong">{text.options}</Dialog.Title>
            <Dialog.Close
              className="button button-ghost button-icon"
              aria-label={strings.content.close}
            >
              <X aria-hidden="true" />
            </Dialog.Close>
          </div>
          <div className="flex flex-col items-stretch gap-2" data-sheet="controls">
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
