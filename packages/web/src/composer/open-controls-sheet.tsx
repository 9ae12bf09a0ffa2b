import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { strings } from "../strings/strings.ts";

interface Props {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** The sheet of `ControlsSheet`, loaded when it is opened. */
export default function OpenControlsSheet({ onClose, children }: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop z-20" />
        <Dialog.Popup className="bottom-sheet" aria-label={strings.composer.options}>
          <div className="flex items-center pb-1">
            <Dialog.Title className="grow font-strong">{strings.composer.options}</Dialog.Title>
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
