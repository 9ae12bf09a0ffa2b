import type { ShownFile } from "./changes-store.ts";
import type { DiffLine, ShownHunk } from "./diff-lines.ts";
import { findCodeSince } from "./changed-since.ts";
import type { ReviewComment } from "./review-comment.ts";
import type { CommentTarget } from "./use-review.ts";

/** What a row of the list of changes shows. Every row belongs to a file. */
export type ViewRow = { readonly key: string; readonly file: ShownFile } & (
  | { readonly kind: "file" }
  | { readonly kind: "hunk"; readonly hunk: ShownHunk; readonly isFirst: boolean }
  | { readonly kind: "line"; readonly line: DiffLine }
  | { readonly kind: "note" }
  | { readonly kind: "comment"; readonly comment: ReviewComment }
  | { readonly kind: "editor"; readonly target: CommentTarget }
  | { readonly kind: "end" }
);

const HEIGHTS: Readonly<Record<ViewRow["kind"], number>> = {
  file: 45,
  hunk: 27,
  line: 20,
  note: 40,
  comment: 96,
  editor: 128,
  end: 15,
};

/** How high a row will be, before it is measured. */
export function estimateHeight(row: ViewRow | undefined): number {
  return row ? HEIGHTS[row.kind] : HEIGHTS.line;
}

/** The comments that are shown between the lines, and the one that is being written. */
interface ShownReview {
  readonly comments: readonly ReviewComment[];
  readonly target: CommentTarget | undefined;
}

/** All files with the rows of those that are open. */
export function buildViewRows(
  files: readonly ShownFile[],
  columns: "unified" | "split",
  review: ShownReview = { comments: [], target: undefined },
): ViewRow[] {
  const comments = Map.groupBy(review.comments, ({ path }) => path);
  return files.flatMap((file) => {
    const { path } = file.file;
    const rows: ViewRow[] = [{ key: path, file, kind: "file" }];
    if (file.isOpen) {
      const inserted = listInserted(file, comments.get(path) ?? [], review.target);
      rows.push(...buildBody(file, columns, inserted));
    }
    rows.push({ key: `${path}\nend`, file, kind: "end" });
    return rows;
  });
}

/** A row of the review, and the line below which it belongs. */
interface InsertedRow {
  readonly row: ViewRow;
  /** Undefined: above all lines. */
  readonly place: { readonly side: "old" | "new"; readonly line: number } | undefined;
}

function listInserted(
  file: ShownFile,
  comments: readonly ReviewComment[],
  target: CommentTarget | undefined,
): InsertedRow[] {
  const inserted = comments
    .filter(({ id }) => id !== target?.edited?.id)
    .map((comment): InsertedRow => ({
      row: { key: `comment/${comment.id}`, file, kind: "comment", comment },
      place: placeComment(comment, file),
    }));
  if (target && !target.isSelecting && target.path === file.file.path) {
    const { side, lines } = target;
    inserted.push({
      row: { key: `${target.path}\neditor`, file, kind: "editor", target },
      place: lines && { side, line: lines.last },
    });
  }
  return inserted;
}

/** Below the last of its lines, wherever they stand now. */
function placeComment(comment: ReviewComment, { diff }: ShownFile): InsertedRow["place"] {
  const { lines, side } = comment;
  if (!lines) return undefined;
  const since = findCodeSince(comment, diff);
  const line = since.kind === "same" ? since.first + lines.last - lines.first : lines.last;
  return { side, line };
}

function buildBody(
  file: ShownFile,
  columns: "unified" | "split",
  inserted: readonly InsertedRow[],
): ViewRow[] {
  const { path } = file.file;
  const rows: ViewRow[] = [];
  if (hasNote(file)) rows.push({ key: `${path}\nnote`, file, kind: "note" });
  const waiting = new Set(inserted);
  const lines: ViewRow[] = [];
  const hunks = file.diff?.kind === "text" ? file.diff.hunks : [];
  for (const [nth, hunk] of hunks.entries()) {
    lines.push({ key: `${path}\n${nth}`, file, kind: "hunk", hunk, isFirst: nth === 0 });
    for (const [at, line] of hunk[columns].entries()) {
      lines.push({ key: `${path}\n${nth}\n${at}`, file, kind: "line", line });
      for (const one of waiting) {
        if (!isBelow(one.place, line)) continue;
        lines.push(one.row);
        waiting.delete(one);
      }
    }
  }
  // What is said of the file, or of lines that are not shown, stands above them.
  return [...rows, ...[...waiting].map(({ row }) => row), ...lines];
}

function isBelow(place: InsertedRow["place"], line: DiffLine): boolean {
  return place !== undefined && line.kind !== "remark" && line[place.side]?.number === place.line;
}

/** Whether something is said of a file's change in words: it is loading, or there are no lines, or not all of them. */
function hasNote({ file, diff, problem }: ShownFile): boolean {
  if (problem !== undefined || diff === undefined || diff.kind !== "text") return true;
  return diff.hunks.length === 0 || diff.isCut || diff.lfs !== undefined || file.mode !== undefined;
}

/** The row of the next or previous file, or of a change, seen from a row. */
export function findStep(
  rows: readonly ViewRow[],
  from: number,
  what: "file" | "hunk",
  direction: 1 | -1,
): number | undefined {
  const isWanted = (row: ViewRow) => row.kind === what;
  const found =
    direction === 1
      ? rows.findIndex((row, at) => at > from && isWanted(row))
      : rows.findLastIndex((row, at) => at < from && isWanted(row));
  return found === -1 ? undefined : found;
}
