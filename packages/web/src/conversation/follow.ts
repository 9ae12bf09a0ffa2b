/** How a list stands: how far it is scrolled, how much of it is seen, how long it is. In pixels. */
export interface ScrollPosition {
  readonly top: number;
  readonly viewport: number;
  readonly content: number;
}

/** Whether a list follows its end, whether a person's hands are moving it, and how it stood when last looked at. */
export interface FollowState {
  readonly isFollowing: boolean;
  readonly isUserScrolling: boolean;
  readonly position: ScrollPosition;
}

/** So near to the end one is at the end. */
const END_PX = 40;

export function isAtEnd({ top, viewport, content }: ScrollPosition): boolean {
  return content - top - viewport <= END_PX;
}

/**
 * After the list has moved. Up and away from its end it goes by a person's hands alone: layout moves it up, too,
 * when an item shrinks or its frame grows, and by the time one is told the frame may be small again.
 */
export function afterScroll(before: FollowState, now: ScrollPosition): FollowState {
  const up = now.top < before.position.top;
  const isFollowing = before.isUserScrolling && up ? false : before.isFollowing || isAtEnd(now);
  return { ...before, isFollowing, position: now };
}

/** The hands are off and the list is still: who is near its end wants to see what comes. */
export function afterUserScroll(before: FollowState, now: ScrollPosition): FollowState {
  return { isFollowing: before.isFollowing || isAtEnd(now), isUserScrolling: false, position: now };
}

/** Whether layout has moved a list off the end that it follows. Whatever else moved it may have had its reasons. */
export function hasDrifted(before: FollowState, { isFollowing, position }: FollowState): boolean {
  const laidOut =
    position.viewport !== before.position.viewport || position.content !== before.position.content;
  return isFollowing && laidOut && position.content - position.top - position.viewport > 1;
}
