/** How a list stands: how far it is scrolled, how much of it is seen, how long it is. In pixels. */
export interface Scroll {
  readonly top: number;
  readonly seen: number;
  readonly whole: number;
}

/** Whether a list follows its end, whether a person's hands are moving it, and how it stood when last looked at. */
export interface Following {
  readonly follows: boolean;
  readonly hands: boolean;
  readonly stood: Scroll;
}

/** So near to the end one is at the end. */
const END_PX = 40;

export function isAtEnd({ top, seen, whole }: Scroll): boolean {
  return whole - top - seen <= END_PX;
}

/**
 * After the list has moved. Up and away from its end it goes by a person's hands alone: layout moves it up, too,
 * when an item shrinks or its frame grows, and by the time one is told the frame may be small again.
 */
export function moved(before: Following, now: Scroll): Following {
  const up = now.top < before.stood.top;
  const follows = before.hands && up ? false : before.follows || isAtEnd(now);
  return { ...before, follows, stood: now };
}

/** The hands are off and the list is still: who is near its end wants to see what comes. */
export function rested(before: Following, now: Scroll): Following {
  return { follows: before.follows || isAtEnd(now), hands: false, stood: now };
}

/** Whether layout has moved a list off the end that it follows. Whatever else moved it may have had its reasons. */
export function strayed(before: Following, { follows, stood }: Following): boolean {
  const laidOut = stood.seen !== before.stood.seen || stood.whole !== before.stood.whole;
  return follows && laidOut && stood.whole - stood.top - stood.seen > 1;
}
