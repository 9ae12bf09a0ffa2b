import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { strings } from "../strings/strings.ts";

interface Props {
  readonly title: string;
  /** Whether the title is only for screen readers. */
  readonly bare?: boolean;
  /** The element that gets the focus first. */
  readonly first?: RefObject<HTMLElement | null>;
  /** Whether it is as wide as text to read may be. */
  readonly isWide?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog. Escape closes it, and the focus returns to where it was. */
export function Modal({ title, bare = false, isWide = false, first, onClose, children }: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        {/* Also above another dialog. */}
        <Dialog.Backdrop forceRender className="backdrop z-20" />
        <Dialog.Popup
          className={isWide ? "modal modal-wide" : "modal"}
          {...(first && { initialFocus: first })}
        >
          <div className={bare ? "sr-only" : "flex items-center border-b border-line px-4 py-2"}>
            <Dialog.Title className="grow text-title font-semibold">{title}</Dialog.Title>
            {!bare && (
              <Dialog.Close
                className="button button-ghost button-icon"
                aria-label={strings.content.close}
              >
                <X aria-hidden="true" />
              </Dialog.Close>
            )}
          </div>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
