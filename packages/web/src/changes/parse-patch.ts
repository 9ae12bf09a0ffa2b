import type { Hunk } from "@signalbox/timeline/view";
import { buildRows, type DiffRow } from "../items/diff/rows.ts";

/** A hunk of a file's change. */
export interface FileHunk {
  /** What Git printed of it, by which it is staged and reverted. */
  readonly text: string;
  /** The function or heading that it is in, if Git has found one. */
  readonly heading: string;
  readonly hunk: Hunk;
  /** Removed lines are paired with the lines that replace them. */
  readonly rows: readonly DiffRow[];
}

const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)/;

/** Reads hunks as `git diff` prints them. */
export function parsePatch(patch: string): FileHunk[] {
  const hunks: FileHunk[] = [];
  for (let start = 0; start < patch.length;) {
    const next = patch.indexOf("\n@@ ", start);
    const end = next === -1 ? patch.length : next + 1;
    const hunk = parseHunk(patch.slice(start, end));
    if (hunk) hunks.push(hunk);
    start = end;
  }
  return hunks;
}

function parseHunk(text: string): FileHunk | undefined {
  const [first = "", ...rest] = text.split("\n");
  const match = header.exec(first);
  if (!match) return undefined;
  if (rest.at(-1) === "") rest.pop();
  const [, oldStart, oldLines = "1", newStart, newLines = "1", heading = ""] = match;
  const hunk: Hunk = {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    lines: rest,
  };
  // The first row only says where the hunk begins.
  return { text, heading, hunk, rows: buildRows([hunk]).slice(1) };
}

/** The change that undoes a hunk. */
export function invertHunk({ oldStart, oldLines, newStart, newLines, lines }: Hunk): Hunk {
  const signs: Readonly<Record<string, string>> = { "+": "-", "-": "+" };
  return {
    oldStart: newStart,
    oldLines: newLines,
    newStart: oldStart,
    newLines: oldLines,
    lines: orderRemovedFirst(
      lines.map((line) => (signs[line[0] ?? ""] ?? line[0] ?? "") + line.slice(1)),
    ),
  };
}

/** Within a group of changed lines, removed ones come first, as in every diff. */
function orderRemovedFirst(lines: readonly string[]): string[] {
  const ordered: string[] = [];
  let added: string[] = [];
  for (const line of lines) {
    if (line.startsWith("-")) ordered.push(line);
    else if (line.startsWith("+") || (line.startsWith("\\") && added.length > 0)) added.push(line);
    else {
      ordered.push(...added, line);
      added = [];
    }
  }
  return [...ordered, ...added];
}

const LFS_POINTER = "version https://git-lfs.github.com/spec/v1";

/** The sizes before and after if a file is stored by Git LFS, and Git has only its pointer. */
export function readLfsSizes(
  hunks: readonly FileHunk[],
): { readonly from: number | undefined; readonly to: number | undefined } | undefined {
  const lines = hunks.flatMap(({ hunk }) => hunk.lines);
  if (!lines.some((line) => line.slice(1) === LFS_POINTER)) return undefined;
  const find = (signs: string) => {
    const line = lines.find((one) => signs.includes(one[0] ?? "") && one.slice(1, 6) === "size ");
    return line === undefined ? undefined : Number(line.slice(6));
  };
  return { from: find("- "), to: find("+ ") };
}
