import { type PointerEvent, useState } from "react";

/** Since when the mouse is over an element, and what the element needs for that. A finger that has left is not. */
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
