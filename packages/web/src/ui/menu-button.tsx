import { type ButtonHTMLAttributes, Suspense, useRef, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";
import type { MenuContent } from "./menu-popup.tsx";
import { preloaded } from "./preloaded.tsx";

const popup = preloaded(() => import("./menu-popup.tsx"));
const MenuPopup = popup.View;

/** Loads the parts of menus ahead of the first press. */
export const fetchMenus = popup.fetch;

interface Props extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly menu: MenuContent;
}

/** A button that opens a menu. Menus are loaded when one is opened: the first load does without them. */
export function MenuButton({ menu, children, ...button }: Props) {
  const { toasts } = useAppContext();
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLButtonElement>(null);
  const open = async () => {
    try {
      await popup.fetch();
      setOpen(true);
    } catch {
      toasts.showError(strings.menus.couldNotOpen, new Error(strings.parts.couldNotLoadHint));
    }
  };
  return (
    <>
      <button
        type="button"
        {...button}
        ref={ref}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => void open()}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          void open();
        }}
      >
        {children}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <MenuPopup {...menu} anchor={ref} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
