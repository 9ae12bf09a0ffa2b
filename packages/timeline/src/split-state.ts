import { type IdPage, toWidePage } from "./recent-ids.ts";
import { RECENT_PAGES } from "./normalize/recent-messages.ts";
import { NAME_PAGES } from "./reduce/ids.ts";
import type { TimelineState } from "./timeline.ts";

/**
 * A state in two parts: what changes with every line, and the pages of the memories, which change
 * seldom. A page that is the same object as before need not be stored again.
 */
interface SplitState {
  readonly rest: TimelineState;
  readonly pages: readonly IdPage[];
}

export function splitState(state: TimelineState): SplitState {
  const recentPages = state.normalize.recent.pages;
  const names = state.reduce.names.pages;
  return { rest: withPages(state, [], []), pages: [...recentPages, ...names] };
}

/**
 * Pages by their position. A missing page is empty, and a page of an older version contains less.
 */
export function joinState(
  rest: TimelineState,
  pages: ReadonlyMap<number, IdPage | undefined>,
): TimelineState {
  const from = (first: number, count: number, wide: boolean) =>
    Array.from({ length: count }, (_, at) => toWidePage(pages.get(first + at), wide));
  return withPages(rest, from(0, RECENT_PAGES, true), from(RECENT_PAGES, NAME_PAGES, false));
}

function withPages(
  { normalize, reduce }: TimelineState,
  recentPages: readonly IdPage[],
  names: readonly IdPage[],
): TimelineState {
  return {
    normalize: { ...normalize, recent: { ...normalize.recent, pages: recentPages } },
    reduce: { ...reduce, names: { ...reduce.names, pages: names } },
  };
}
