import type { AskView } from "@signalbox/protocol";

/** For so long one still sees what became of an ask that was in sight. */
export const SEEN_MS = 8000;

/** What is open, in its order, and what was closed a moment ago, so that one sees who answered. */
export function shownAsks(
  open: readonly AskView[],
  closed: readonly AskView[],
  now: number,
): readonly AskView[] {
  const openIds = new Set(open.map(({ id }) => id));
  const justClosed = closed.filter(
    ({ id, answeredAt }) =>
      !openIds.has(id) && answeredAt !== undefined && now - answeredAt < SEEN_MS,
  );
  return [...open, ...justClosed].toSorted((a, b) => a.openedAt - b.openedAt);
}
