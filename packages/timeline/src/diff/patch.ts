import type { Hunk } from "./hunk.ts";
import { type Change, findChanges } from "./changes.ts";
import { type SplitText, splitLines } from "./lines.ts";

const CONTEXT = 3;
const NO_NEWLINE = "\\ No newline at end of file";

/** Computes the hunks that turn one text into the other, with three lines of context. */
export function createPatch(before: string, after: string): Hunk[] {
  const [a, b] = [splitLines(before), splitLines(after)];
  const changes = findChanges(markMissingNewline(a), markMissingNewline(b));
  return groupNearbyChanges(changes, a.lines.length).map((group) => createHunk(group, a, b));
}

/** A last line without LF differs from the same line with one. Only the last line can lack it. */
function markMissingNewline({ lines, lacksFinalNewline: openEnd }: SplitText): readonly string[] {
  return openEnd ? [...lines.slice(0, -1), `${lines.at(-1)}\n`] : lines;
}

/** Changes whose context would overlap share a hunk. */
function groupNearbyChanges(changes: Change[], oldLines: number): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last && change.oldFrom - last.oldTo <= 2 * CONTEXT && oldLines > 0;
    if (isNear) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function createHunk(group: readonly Change[], a: SplitText, b: SplitText): Hunk {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return { oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, lines: [] };
  const from = Math.max(0, first.oldFrom - CONTEXT);
  const to = Math.min(a.lines.length, last.oldTo + CONTEXT);
  const newFrom = first.newFrom - (first.oldFrom - from);
  const newTo = last.newTo + (to - last.oldTo);
  const lines: string[] = [];
  let at = from;
  for (const change of group) {
    appendLines(lines, " ", a, at, change.oldFrom);
    appendLines(lines, "-", a, change.oldFrom, change.oldTo);
    appendLines(lines, "+", b, change.newFrom, change.newTo);
    at = change.oldTo;
  }
  appendLines(lines, " ", a, at, to);
  // As in diff(1), a side without lines starts at the line before it.
  const oldStart = to > from ? from + 1 : from;
  const newStart = newTo > newFrom ? newFrom + 1 : newFrom;
  return { oldStart, oldLines: to - from, newStart, newLines: newTo - newFrom, lines };
}

function appendLines(lines: string[], sign: string, side: SplitText, from: number, to: number) {
  for (let at = from; at < to; at++) lines.push(sign + (side.lines[at] ?? ""));
  if (to > from && to === side.lines.length && side.lacksFinalNewline) lines.push(NO_NEWLINE);
}
