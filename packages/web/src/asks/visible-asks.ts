import type { AskView } from "@signalbox/api";

/** For so long one still sees what became of an ask that was in sight. */
const SHOW_CLOSED_MS = 8000;
/** For so long if others would slide under the mouse. */
const SHOW_CLOSED_ON_HOVER_MS = 60_000;

/**
 * What is open, in its order, and what was closed a moment ago, so that one sees who answered. What was in
 * sight when the mouse came, at `pointedAt`, stays longer, and the one that somebody writes in until it is left.
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
