import type { LineView } from "@signalbox/api";
import { strings } from "../strings/strings.ts";

const text = strings.panels.protocol;

/** A range of the log without gaps, ascending. */
export interface LoadedLines {
  readonly lines: readonly LineView[];
  /** Whether there are older lines. */
  readonly more: boolean;
}
export const noLines: LoadedLines = { lines: [], more: false };

/** The number of lines kept while new ones arrive. Older ones can be loaded again. */
const MAX_LINES = 1000;

/** Adds the newest page. If lines between are missing, it replaces what was loaded. */
export function withNewest(current: LoadedLines, page: LoadedLines): LoadedLines {
  const last = current.lines.at(-1);
  const first = page.lines[0];
  if (!last || !first || first.pos > last.pos + 1) return first ? page : current;
  const news = page.lines.filter(({ pos }) => pos > last.pos);
  if (news.length === 0) return current;
  const lines = [...current.lines, ...news];
  return { lines: lines.slice(-MAX_LINES), more: current.more || lines.length > MAX_LINES };
}

export function withOlder(current: LoadedLines, page: LoadedLines): LoadedLines {
  return { lines: [...page.lines, ...current.lines], more: page.more };
}

/** Describes how many of the loaded lines match a filter. */
export function describeFilter(found: number, { lines, more }: LoadedLines): string {
  return `${text.found(found, lines.length)}; ${more ? text.foundMore : text.foundAll}`;
}
