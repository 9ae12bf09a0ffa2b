import type { Mutation } from "@signalbox/timeline";
import { type Hunk, diffLines } from "@signalbox/timeline/view";

/** Part of a line. `changed`: it differs from the line on the other side. */
export interface LineSpan {
  readonly text: string;
  readonly changed: boolean;
}

export interface DiffSide {
  readonly number: number;
  readonly text: string;
  readonly words: readonly LineSpan[];
}

/** A row of a diff. Unified views show `old` and `new` of a changed row one below the other. */
export type DiffRow =
  | { readonly kind: "gap"; readonly hunk: Hunk }
  | { readonly kind: "same"; readonly old: DiffSide; readonly new: DiffSide }
  | { readonly kind: "changed"; readonly old?: DiffSide; readonly new?: DiffSide }
  | { readonly kind: "remark"; readonly text: string };

/** The rows of a patch. Removed lines are paired with the added lines that replace them. */
export function buildRows(hunks: readonly Hunk[]): DiffRow[] {
  return hunks.flatMap((hunk) => [{ kind: "gap", hunk } as const, ...buildHunkRows(hunk)]);
}

function buildHunkRows(hunk: Hunk): DiffRow[] {
  const rows: DiffRow[] = [];
  let oldLine = hunk.oldStart;
  let newLine = hunk.newStart;
  let removed: DiffSide[] = [];
  let added: DiffSide[] = [];
  const flush = () => {
    rows.push(...pairLines(removed, added));
    removed = [];
    added = [];
  };
  for (const line of hunk.lines) {
    const text = line.slice(1);
    if (line.startsWith("-")) {
      if (added.length > 0) flush();
      removed.push(createSide(oldLine++, text));
    } else if (line.startsWith("+")) {
      added.push(createSide(newLine++, text));
    } else if (line.startsWith("\\")) {
      rows.push({ kind: "remark", text: text.trim() });
    } else {
      flush();
      rows.push({
        kind: "same",
        old: createSide(oldLine++, text),
        new: createSide(newLine++, text),
      });
    }
  }
  flush();
  return rows;
}

function createSide(number: number, text: string): DiffSide {
  return { number, text, words: [{ text, changed: false }] };
}

function pairLines(removed: readonly DiffSide[], added: readonly DiffSide[]): DiffRow[] {
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, at): DiffRow => {
    const before = removed[at];
    const after = added[at];
    if (!before) return { kind: "changed", ...(after && { new: after }) };
    if (!after) return { kind: "changed", old: before };
    const [oldWords, newWords] = diffLine(before.text, after.text);
    return {
      kind: "changed",
      old: { ...before, words: oldWords },
      new: { ...after, words: newWords },
    };
  });
}

/**
 * The difference between two lines: what is between their common start and end. Lines that share too little
 * are not compared.
 */
export function diffLine(
  before: string,
  after: string,
): [readonly LineSpan[], readonly LineSpan[]] {
  const longest = Math.min(before.length, after.length);
  let start = 0;
  while (start < longest && before[start] === after[start]) start++;
  let end = 0;
  while (end < longest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  start = findWordStart(before, after, start);
  const shared = start + end;
  if (shared === 0 || shared * 3 < Math.max(before.length, after.length)) {
    return [[{ text: before, changed: false }], [{ text: after, changed: false }]];
  }
  return [splitLine(before, start, end), splitLine(after, start, end)];
}

/** Moves back to the start of the word in which two lines begin to differ. */
function findWordStart(before: string, after: string, at: number): number {
  const inWord = (text: string) => /\w/.test(text[at] ?? " ") || /\w/.test(text[at - 1] ?? " ");
  let start = at;
  if (!inWord(before) && !inWord(after)) return start;
  while (start > 0 && /\w/.test(before[start - 1] ?? " ")) start--;
  return start;
}

function splitLine(text: string, start: number, end: number): LineSpan[] {
  const stop = Math.max(start, text.length - end);
  return [
    { text: text.slice(0, start), changed: false },
    { text: text.slice(start, stop), changed: true },
    { text: text.slice(stop), changed: false },
  ].filter((words) => words.text !== "");
}

/**
 * A patch for a change that is still to be made: every line of both texts, in one hunk. `line` is the number of
 * its first line in the file.
 */
export function createHunk(mutation: Mutation, line = 1): Hunk | undefined {
  const before = splitLines(mutation.oldContent);
  const after = splitLines(mutation.newContent ?? mutation.content);
  if (before.length === 0 && after.length === 0) return undefined;
  return {
    oldStart: before.length === 0 ? line - 1 : line,
    oldLines: before.length,
    newStart: after.length === 0 ? line - 1 : line,
    newLines: after.length,
    lines: diffLines(before, after).map(({ sign, text }) => sign + text),
  };
}

function splitLines(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** The code of one side, which is highlighted as a whole. */
export function joinSide(rows: readonly DiffRow[], which: "old" | "new"): string {
  return rows.flatMap((row) => getLine(row, which)).join("\n");
}

function getLine(row: DiffRow, which: "old" | "new"): string[] {
  if (row.kind !== "same" && row.kind !== "changed") return [];
  const side = row[which];
  return side ? [side.text] : [];
}
