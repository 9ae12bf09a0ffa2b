import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Following, isAtEnd, moved, rested, type Scroll, strayed } from "./follow.ts";
import { watchHands } from "./user-scroll.ts";

const ATTENTIVE: Following = {
  follows: true,
  hands: false,
  stood: { top: 0, seen: 0, whole: 0 },
};

/** Keeps a list at its end while it grows and while its frame changes, unless a person has scrolled away. */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
): { atEnd: boolean; toEnd: () => void; leave: () => void } {
  const following = useRef(ATTENTIVE);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTo({ top: element.scrollHeight });
    following.current = { ...following.current, follows: true, stood: standing(element) };
    setAtEnd(true);
  }, [scroller]);
  /** For one who wants to look at something further up. */
  const leave = useCallback(() => {
    following.current = { ...following.current, follows: false };
    setAtEnd(false);
  }, []);
  useLayoutEffect(() => {
    if (following.current.follows) toEnd();
  }, [total, toEnd]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const take = (now: Following) => {
      following.current = now;
      setAtEnd(now.follows || isAtEnd(now.stood));
    };
    const onScroll = () => {
      const now = moved(following.current, standing(element));
      if (strayed(following.current, now)) toEnd();
      else take(now);
    };
    const onResize = () => {
      if (following.current.follows) toEnd();
    };
    const unwatch = watchHands(element, {
      on: () => (following.current = { ...following.current, hands: true }),
      off: () => take(rested(following.current, standing(element))),
    });
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      unwatch();
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, toEnd]);
  return { atEnd, toEnd, leave };
}

function standing({
  scrollTop: top,
  clientHeight: seen,
  scrollHeight: whole,
}: HTMLElement): Scroll {
  return { top, seen, whole };
}
