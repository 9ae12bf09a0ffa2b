import { type PointerEvent, useState } from "react";

/** Since when the mouse is over an element, and what the element needs for that. A finger that has left is not. */
export function usePointed() {
  const [since, setSince] = useState<number>();
  return {
    since,
    pointing: {
      onPointerEnter: ({ pointerType }: PointerEvent) =>
        setSince(pointerType === "mouse" ? Date.now() : undefined),
      onPointerLeave: () => setSince(undefined),
    },
  };
}
