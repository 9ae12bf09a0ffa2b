import { type FocusEvent, useEffect, useRef, useState } from "react";

/** What gives way as soon as it is left would move buttons away under the hand that left it. */
const BLUR_DELAY_MS = 1000;

/** Whether something is in use, or was a moment ago, and what its element needs for that. */
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
