import type { DiffLine } from "./diff-lines.ts";
import type { ShownHunk } from "./diff-lines.ts";
import type { ShownFile } from "./changes-store.ts";

/** What a row of the list of changes shows. Every row belongs to a file. */
export type ViewRow = { readonly key: string; readonly file: ShownFile } & (
  | { readonly kind: "file" }
  | { readonly kind: "hunk"; readonly hunk: ShownHunk; readonly isFirst: boolean }
  | { readonly kind: "line"; readonly line: DiffLine }
  | { readonly kind: "note" }
  | { readonly kind: "end" }
);

const HEIGHTS: Readonly<Record<ViewRow["kind"], number>> = {
  file: 45,
  hunk: 27,
  line: 20,
  note: 40,
  end: 15,
};

/** How high a row will be, before it is measured. */
export function estimateHeight(row: ViewRow | undefined): number {
  return row ? HEIGHTS[row.kind] : HEIGHTS.line;
}

/** All files with the rows of those that are open. */
export function buildViewRows(
  files: readonly ShownFile[],
  columns: "unified" | "split",
): ViewRow[] {
  return files.flatMap((file) => {
    const { path } = file.file;
    const rows: ViewRow[] = [{ key: path, file, kind: "file" }];
    if (file.isOpen) rows.push(...buildBody(file, columns));
    rows.push({ key: `${path}\nend`, file, kind: "end" });
    return rows;
  });
}

function buildBody(file: ShownFile, columns: "unified" | "split"): ViewRow[] {
  const { path } = file.file;
  const rows: ViewRow[] = [];
  if (hasNote(file)) rows.push({ key: `${path}\nnote`, file, kind: "note" });
  if (file.diff?.kind !== "text") return rows;
  for (const [nth, hunk] of file.diff.hunks.entries()) {
    rows.push({ key: `${path}\n${nth}`, file, kind: "hunk", hunk, isFirst: nth === 0 });
    for (const [at, line] of hunk[columns].entries()) {
      rows.push({ key: `${path}\n${nth}\n${at}`, file, kind: "line", line });
    }
  }
  return rows;
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
