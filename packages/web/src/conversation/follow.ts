/** The scroll position of a list, the height of its visible part and of its content, in pixels. */
export interface ScrollPosition {
  readonly top: number;
  readonly viewport: number;
  readonly content: number;
}

/** Whether a list stays at its end, whether the person is scrolling it, and its last known position. */
export interface FollowState {
  readonly isFollowing: boolean;
  readonly isUserScrolling: boolean;
  readonly position: ScrollPosition;
}

/** This close to the end counts as the end. */
const END_PX = 40;

export function isAtEnd({ top, viewport, content }: ScrollPosition): boolean {
  return content - top - viewport <= END_PX;
}

/**
 * The state after the list has scrolled. It stops following only if the person scrolls up: layout also moves
 * it up when an item shrinks or the viewport grows.
 */
export function afterScroll(before: FollowState, now: ScrollPosition): FollowState {
  const up = now.top < before.position.top;
  const isFollowing = before.isUserScrolling && up ? false : before.isFollowing || isAtEnd(now);
  return { ...before, isFollowing, position: now };
}

/** The state after the person has stopped scrolling. Near the end the list follows again. */
export function afterUserScroll(before: FollowState, now: ScrollPosition): FollowState {
  return { isFollowing: before.isFollowing || isAtEnd(now), isUserScrolling: false, position: now };
}

/** Whether a layout change has moved a following list away from its end. */
export function hasDrifted(before: FollowState, { isFollowing, position }: FollowState): boolean {
  const laidOut =
    position.viewport !== before.position.viewport || position.content !== before.position.content;
  return isFollowing && laidOut && position.content - position.top - position.viewport > 1;
}
