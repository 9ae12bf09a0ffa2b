import { type ReactNode, useEffect, useRef } from "react";

interface Props {
  readonly label: string;
  /** Its end is in sight. */
  readonly onEnd: () => void;
  readonly children: ReactNode;
}

/** A long text in a box of its own, so that the buttons below stay in reach, and who has come to its end. */
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

/** Goes to the ends of all long texts in an ask. */
export function scrollToEnds(within: HTMLElement | null): void {
  for (const box of within?.querySelectorAll(".long-box") ?? []) {
    box.scrollTop = box.scrollHeight;
    box.scrollIntoView({ block: "nearest" });
  }
}
