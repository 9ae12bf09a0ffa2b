import { type ReactNode, useEffect, useRef } from "react";

interface Props {
  readonly label: string;
  /** Called when the end has become visible. */
  readonly onEnd: () => void;
  readonly children: ReactNode;
}

/**
 * A scrollable box for a long text, which reports when its end was visible and keeps the buttons below in
 * reach.
 */
export function ScrollBox({ label, onEnd, children }: Props) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current) return undefined;
    const observer = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) onEnd();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  });
  return (
    <div className="long-box" role="group" aria-label={label} tabIndex={0}>
      {children}
      <div ref={end} className="h-px" data-role="end-of-text" />
    </div>
  );
}

/** Scrolls all scroll boxes inside an element to their ends. */
export function scrollToEnds(within: HTMLElement | null): void {
  for (const box of within?.querySelectorAll(".long-box") ?? []) {
    box.scrollTop = box.scrollHeight;
    box.scrollIntoView({ block: "nearest" });
  }
}
