import type { Hunk } from "../payload.ts";
import { type Change, changesBetween } from "./edits.ts";
import { type Lines, linesOf } from "./lines.ts";

const CONTEXT = 3;
const NO_NEWLINE = "\\ No newline at end of file";

/** The hunks that turn one text into the other, with three lines of context. */
export function patchBetween(before: string, after: string): Hunk[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const changes = changesBetween(marked(a), marked(b));
  return grouped(changes, a.lines.length).map((group) => hunkOf(group, a, b));
}

/** A last line without LF differs from the same line with one. No other line can end in LF. */
function marked({ lines, openEnd }: Lines): readonly string[] {
  return openEnd ? [...lines.slice(0, -1), `${lines.at(-1)}\n`] : lines;
}

/** Changes whose context would meet share a hunk. */
function grouped(changes: Change[], oldLines: number): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    const near = last && change.oldFrom - last.oldTo <= 2 * CONTEXT && oldLines > 0;
    if (near) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(group: readonly Change[], a: Lines, b: Lines): Hunk {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, lines: [] };
  const from = Math.max(0, first.oldFrom - CONTEXT);
  const to = Math.min(a.lines.length, last.oldTo + CONTEXT);
  const newFrom = first.newFrom - (first.oldFrom - from);
  const newTo = last.newTo + (to - last.oldTo);
  const lines: string[] = [];
  let at = from;
  for (const change of group) {
    say(lines, " ", a, at, change.oldFrom);
    say(lines, "-", a, change.oldFrom, change.oldTo);
    say(lines, "+", b, change.newFrom, change.newTo);
    at = change.oldTo;
  }
  say(lines, " ", a, at, to);
  // As diff(1) has it, a side without lines starts at the line before it.
  const oldStart = to > from ? from + 1 : from;
  const newStart = newTo > newFrom ? newFrom + 1 : newFrom;
  return { oldStart, oldLines: to - from, newStart, newLines: newTo - newFrom, lines };
}

function say(lines: string[], sign: string, side: Lines, from: number, to: number) {
  for (let at = from; at < to; at++) lines.push(sign + (side.lines[at] ?? ""));
  if (to > from && to === side.lines.length && side.openEnd) lines.push(NO_NEWLINE);
}
