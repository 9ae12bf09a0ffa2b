import { type ReactNode, useEffect, useRef } from "react";

/** Loads something as soon as this place comes into sight. */
export function LoadInView({ load, children }: { load: () => void; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element || typeof IntersectionObserver === "undefined") return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      load();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [load]);
  return (
    <div ref={place} className="text-small text-dim" role="status">
      {children}
    </div>
  );
}
