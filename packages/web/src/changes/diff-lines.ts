import { findLanguageByFile } from "../code/highlight/detect-language.ts";
import type { DiffRow, DiffSide } from "../items/diff/rows.ts";
import { ColorChunk } from "./color-chunk.ts";
import type { FileHunk } from "./parse-patch.ts";

/** One line of one side, and where its colors are. */
export interface ShownSide extends DiffSide {
  readonly chunk: ColorChunk;
  /** Its place in the chunk. */
  readonly at: number;
}

/** A row of a hunk as it is drawn: in one column it has one side unless nothing changed. */
export type DiffLine =
  | {
      readonly kind: "same" | "changed";
      readonly old?: ShownSide;
      readonly new?: ShownSide;
    }
  | { readonly kind: "remark"; readonly text: string };

/** A hunk with its rows for one column and for two. */
export interface ShownHunk {
  readonly hunk: FileHunk;
  readonly unified: readonly DiffLine[];
  readonly split: readonly DiffLine[];
}

/** Prepares the hunks of a file to be drawn. */
export function prepareHunks(path: string, hunks: readonly FileHunk[]): ShownHunk[] {
  const language = findLanguageByFile(path);
  return hunks.map((hunk) => {
    const chunks = { old: new ColorChunk(language), new: new ColorChunk(language) };
    const place = (which: "old" | "new", side: DiffSide): ShownSide => {
      if (chunks[which].isFull) chunks[which] = new ColorChunk(language);
      const chunk = chunks[which];
      return { ...side, chunk, at: chunk.add(side.text) };
    };
    const split = hunk.rows.flatMap((row) => placeRow(row, place));
    return { hunk, split, unified: joinColumns(split) };
  });
}

type Place = (which: "old" | "new", side: DiffSide) => ShownSide;

function placeRow(row: DiffRow, place: Place): DiffLine[] {
  if (row.kind === "gap") return [];
  if (row.kind === "remark") return [row];
  return [
    {
      kind: row.kind,
      ...(row.old && { old: place("old", row.old) }),
      ...(row.new && { new: place("new", row.new) }),
    },
  ];
}

/** In one column the removed lines of a group come before the added ones. */
function joinColumns(rows: readonly DiffLine[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let added: DiffLine[] = [];
  for (const row of rows) {
    if (row.kind !== "changed") {
      lines.push(...added, row);
      added = [];
      continue;
    }
    if (row.old) lines.push({ kind: "changed", old: row.old });
    if (row.new) added.push({ kind: "changed", new: row.new });
  }
  return [...lines, ...added];
}
