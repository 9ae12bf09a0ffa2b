import { type FocusEvent, useEffect, useRef, useState } from "react";

/** Collapsing right away would move buttons under the pointer that has just left the field. */
const BLUR_DELAY_MS = 1000;

/** Whether an element has the focus or had it a moment ago. */
export function useRecentFocus() {
  const [isActive, setActive] = useState(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(leaving.current), []);
  return {
    isActive,
    focusHandlers: {
      onFocus: () => {
        clearTimeout(leaving.current);
        setActive(true);
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (currentTarget.contains(relatedTarget)) return;
        clearTimeout(leaving.current);
        leaving.current = setTimeout(() => setActive(false), BLUR_DELAY_MS);
      },
    },
  };
}
