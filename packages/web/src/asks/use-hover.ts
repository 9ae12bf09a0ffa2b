import { type PointerEvent, useState } from "react";

/** Since when the mouse has been over an element. Touches do not count. */
export function useHover() {
  const [hoveredSince, setHoveredSince] = useState<number>();
  return {
    hoveredSince,
    hoverHandlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) =>
        setHoveredSince(pointerType === "mouse" ? Date.now() : undefined),
      onPointerLeave: () => setHoveredSince(undefined),
    },
  };
}
