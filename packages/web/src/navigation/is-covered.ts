import { pendingConfirmation } from "./confirm.ts";
import { overlay } from "./overlays.ts";

/** Whether something lies over the page, or has the key that was pressed: it is then none of the page's. */
export function isCovered(target: EventTarget | null): boolean {
  if (overlay.get() || pendingConfirmation.get()) return true;
  return target instanceof Element && target.closest("[role=dialog], [role=menu]") !== null;
}
