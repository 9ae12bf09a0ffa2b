import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { findFocusable, isolate, keepTabInside } from "./isolate.ts";

interface Props {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A column that lies over the page, which meanwhile can't be reached: a click beside the sheet or Escape closes
 * it, and the focus returns to where it was.
 */
export function Sheet({ label, onClose, children }: Props) {
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = sheet;
    if (!current) return undefined;
    const before = document.activeElement;
    const release = isolate(current);
    current.focus();
    // Content that is still being loaded gets the focus when it is there.
    const focusStart = () => document.activeElement === current && findStart(current)?.focus();
    const observer = new MutationObserver(focusStart);
    observer.observe(current, { childList: true, subtree: true });
    focusStart();
    return () => {
      observer.disconnect();
      release();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.defaultPrevented) return;
    if (event.key === "Tab") keepTabInside(event);
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <>
      <div className="sheet-scrim" onClick={onClose} />
      <div
        ref={sheet}
        className="side-sheet"
        role="dialog"
        aria-modal="true"
        aria-label={label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {children}
      </div>
    </>
  );
}

/** What is current in the sheet, such as the open session or the selected tab; otherwise its first control. */
function findStart(sheet: HTMLElement): HTMLElement | undefined {
  const controls = findFocusable(sheet);
  return (
    controls.find((control) => control.matches("[aria-current='page'], [role='tab']")) ??
    controls[0]
  );
}
