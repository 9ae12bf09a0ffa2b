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
): { atEnd: boolean; scrollToEnd: () => void; stopFollowing: () => void } {
  const following = useRef(initialState);
  const [atEnd, setAtEnd] = useState(true);
  const scrollToEnd = useCallback(() => {
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
  const stopFollowing = useCallback(() => {
    following.current = { ...following.current, isFollowing: false };
    setAtEnd(false);
  }, []);
  useLayoutEffect(() => {
    if (following.current.isFollowing) scrollToEnd();
  }, [total, scrollToEnd]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const update = (now: FollowState) => {
      following.current = now;
      setAtEnd(now.isFollowing || isAtEnd(now.position));
    };
    const onScroll = () => {
      const now = afterScroll(following.current, readPosition(element));
      if (hasDrifted(following.current, now)) scrollToEnd();
      else update(now);
    };
    const onResize = () => {
      if (following.current.isFollowing) scrollToEnd();
    };
    const unwatch = watchUserScroll(element, {
      onStart: () => (following.current = { ...following.current, isUserScrolling: true }),
      onEnd: () => update(afterUserScroll(following.current, readPosition(element))),
    });
    const observer = new ResizeObserver(onResize);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      unwatch();
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, scrollToEnd]);
  return { atEnd, scrollToEnd, stopFollowing };
}

function readPosition({
  scrollTop: top,
  clientHeight: viewport,
  scrollHeight: content,
}: HTMLElement): ScrollPosition {
  return { top, viewport, content };
}
