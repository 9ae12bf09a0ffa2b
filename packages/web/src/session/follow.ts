/** How a list stands: how far it is scrolled, how much of it is seen, how long it is. In pixels. */
export interface Scroll {
  readonly top: number;
  readonly seen: number;
  readonly whole: number;
}

/** So near to the end one is at the end. */
const END_PX = 40;

export function isAtEnd({ top, seen, whole }: Scroll): boolean {
  return whole - top - seen <= END_PX;
}

/**
 * Whether the list goes on following its end. Only a person scrolls up: that what is seen shrinks or the
 * list grows moves nothing, and older items that come before it move it down.
 */
export function follows(following: boolean, before: number, now: Scroll): boolean {
  if (isAtEnd(now)) return true;
  return now.top < before ? false : following;
}
