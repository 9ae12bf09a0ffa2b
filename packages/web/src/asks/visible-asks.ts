import type { AskView } from "@signalbox/api";

/** How long a closed ask stays visible. */
const SHOW_CLOSED_MS = 8000;
/** How long it stays while the mouse is over the list, so that nothing moves under it. */
const SHOW_CLOSED_ON_HOVER_MS = 60_000;

/**
 * The open asks and those that were closed a moment ago, so that the person sees who answered. Asks that were
 * visible when the mouse came stay longer, and the one that the person types in stays until the field is
 * left.
 */
export function visibleAsks(
  open: readonly AskView[],
  closed: readonly AskView[],
  now: number,
  { hoveredSince, typingIn }: { readonly hoveredSince?: number; readonly typingIn?: string } = {},
): readonly AskView[] {
  const openIds = new Set(open.map(({ id }) => id));
  const shownFor = (answeredAt: number) =>
    hoveredSince !== undefined && hoveredSince - answeredAt < SHOW_CLOSED_MS
      ? SHOW_CLOSED_ON_HOVER_MS
      : SHOW_CLOSED_MS;
  const justClosed = closed.filter(
    ({ id, answeredAt }) =>
      !openIds.has(id) &&
      (id === typingIn || (answeredAt !== undefined && now - answeredAt < shownFor(answeredAt))),
  );
  return [...open, ...justClosed].toSorted((a, b) => a.openedAt - b.openedAt);
}
