import { createPatch, type Hunk } from "@signalbox/timeline/view";
import type { LoadedDiff } from "./loaded-diff.ts";
import type { ReviewComment } from "./review-comment.ts";

/** What has become of the code of a comment. */
type CodeSince =
  | { readonly kind: "same"; readonly first: number }
  | { readonly kind: "changed"; readonly hunks: readonly Hunk[] }
  /** It is not among the lines that are shown. */
  | { readonly kind: "gone" };

/** Compares the code of a comment with what stands there now, as far as the change of its file shows it. */
export function findCodeSince(comment: ReviewComment, diff: LoadedDiff | undefined): CodeSince {
  if (diff?.kind !== "text" || !comment.lines) return { kind: "gone" };
  const lines = listLines(diff, comment.side);
  const wanted = comment.code.split("\n");
  const places = [...lines.keys()]
    .filter((first) => wanted.every((line, at) => lines.get(first + at) === line))
    .toSorted((a, b) => distance(a, comment) - distance(b, comment));
  if (places[0] !== undefined) return { kind: "same", first: places[0] };
  const now = findBetween(lines, comment);
  if (now === undefined) return { kind: "gone" };
  return { kind: "changed", hunks: createPatch(`${comment.code}\n`, now) };
}

/** The lines of one side that are shown, by their numbers. */
export function listLines(
  diff: Extract<LoadedDiff, { kind: "text" }>,
  side: "old" | "new",
): Map<number, string> {
  const rows = diff.hunks.flatMap(({ split }) => split);
  return new Map(
    rows.flatMap((row) => {
      const found = row.kind === "remark" ? undefined : row[side];
      return found ? [[found.number, found.text] as const] : [];
    }),
  );
}

const distance = (line: number, { lines }: ReviewComment) => Math.abs(line - (lines?.first ?? 0));

/** What stands between the lines that were before and after the code. */
function findBetween(
  lines: ReadonlyMap<number, string>,
  comment: ReviewComment,
): string | undefined {
  const find = (text: string | undefined) =>
    text === undefined || text.trim() === ""
      ? []
      : [...lines].flatMap(([number, line]) => (line === text ? [number] : []));
  const starts = find(comment.before);
  const ends = find(comment.after);
  const pairs = starts
    .flatMap((start) => ends.flatMap((end) => (end > start ? [{ start, end }] : [])))
    .toSorted((a, b) => distance(a.start + 1, comment) - distance(b.start + 1, comment));
  const [best] = pairs;
  if (!best) return undefined;
  const between: string[] = [];
  for (let number = best.start + 1; number < best.end; number++) {
    between.push(lines.get(number) ?? "");
  }
  return between.length === 0 ? "" : `${between.join("\n")}\n`;
}
