import { Ellipsis } from "lucide-react";
import { lazy, memo, Suspense, useRef, useState } from "react";
import type { DisplayItem } from "../text/body.ts";
import { useDevice } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { hasActions } from "./item-actions.ts";

const ItemMenuPopup = lazy(() => import("./item-menu-popup.tsx"));

interface Props {
  readonly session: string;
  readonly item: DisplayItem;
}

/** The menu button of an item. The menu itself is created when it is opened, because there are many items. */
export const ItemMenu = memo(function ItemMenu({ session, item }: Props) {
  const { role } = useDevice();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  if (role === "viewer" || !hasActions(item)) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="item-menu"
        aria-label={strings.menus.messageActions}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden="true" className="mx-auto" />
      </button>
      {open && (
        <Suspense fallback={null}>
          <ItemMenuPopup session={session} item={item} anchor={button} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
});
