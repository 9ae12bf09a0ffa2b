import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { follows } from "./follow.ts";

/** Keeps a list at its end while it grows and while its frame changes, unless one has scrolled away. */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
): { atEnd: boolean; toEnd: () => void } {
  const following = useRef(true);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    following.current = true;
    setAtEnd(true);
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [scroller]);
  useLayoutEffect(() => {
    if (following.current) toEnd();
  }, [total, toEnd]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    let before = element.scrollTop;
    const onScroll = () => {
      const { scrollTop: top, clientHeight: seen, scrollHeight: whole } = element;
      following.current = follows(following.current, before, { top, seen, whole });
      before = top;
      setAtEnd(following.current);
    };
    const onResize = () => {
      if (following.current) toEnd();
    };
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, toEnd]);
  return { atEnd, toEnd };
}
