import { pendingConfirmation } from "./confirm.ts";
import { overlay } from "./overlays.ts";

/** Whether a dialog or menu is open or contains the target of a key press, so that the page ignores the key. */
export function isCovered(target: EventTarget | null): boolean {
  if (overlay.get() || pendingConfirmation.get()) return true;
  return target instanceof Element && target.closest("[role=dialog], [role=menu]") !== null;
}
