import { type ReactNode, useEffect, useRef } from "react";

interface Props {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A column that lies over the page: a click beside it or Escape closes it, and the focus returns. */
export function Sheet({ onClose, children }: Props) {
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    content.current?.querySelector<HTMLElement>("a, button, input, [tabindex='0']")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <>
      <div className="sheet-scrim" onClick={onClose} />
      <div
        ref={content}
        className="contents"
        role="dialog"
        aria-modal="true"
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.defaultPrevented) return;
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }}
      >
        {children}
      </div>
    </>
  );
}
