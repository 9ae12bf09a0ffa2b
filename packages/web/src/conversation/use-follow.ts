import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import {
  type FollowState,
  isAtEnd,
  afterScroll,
  afterUserScroll,
  type ScrollPosition,
  hasDrifted,
} from "./follow.ts";
import { watchUserScroll } from "./user-scroll.ts";

const initialState: FollowState = {
  isFollowing: true,
  isUserScrolling: false,
  position: { top: 0, viewport: 0, content: 0 },
};

/** Keeps a list at its end while its content or viewport changes, unless the person has scrolled away. */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  total: number,
): { atEnd: boolean; toEnd: () => void; leave: () => void } {
  const following = useRef(initialState);
  const [atEnd, setAtEnd] = useState(true);
  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    element.scrollTo({ top: element.scrollHeight });
    following.current = {
      ...following.current,
      isFollowing: true,
      position: readPosition(element),
    };
    setAtEnd(true);
  }, [scroller]);
  /** Stops following, to show something further up. */
  const leave = useCallback(() => {
    following.current = { ...following.current, isFollowing: false };
    setAtEnd(false);
  }, []);
  useLayoutEffect(() => {
    if (following.current.isFollowing) toEnd();
  }, [total, toEnd]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const take = (now: FollowState) => {
      following.current = now;
      setAtEnd(now.isFollowing || isAtEnd(now.position));
    };
    const onScroll = () => {
      const now = afterScroll(following.current, readPosition(element));
      if (hasDrifted(following.current, now)) toEnd();
      else take(now);
    };
    const onResize = () => {
      if (following.current.isFollowing) toEnd();
    };
    const unwatch = watchUserScroll(element, {
      onStart: () => (following.current = { ...following.current, isUserScrolling: true }),
      onEnd: () => take(afterUserScroll(following.current, readPosition(element))),
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

function readPosition({
  scrollTop: top,
  clientHeight: viewport,
  scrollHeight: content,
}: HTMLElement): ScrollPosition {
  return { top, viewport, content };
}
