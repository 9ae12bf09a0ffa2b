import { type DiffLine, diffLines } from "@signalbox/timeline/view";

/** A printed line of a diff. "…" stands for omitted unchanged lines. */
interface PrintedLine {
  readonly sign: DiffLine["sign"] | "…";
  readonly text: string;
}

const CONTEXT = 2;

/** Compares two texts line by line and keeps a few unchanged lines around each change. */
export function diffWithContext(before: string, after: string): PrintedLine[] {
  return keepNearChanges(diffLines(before.split("\n"), after.split("\n")));
}

/** Removes lines that are far from any change. */
function keepNearChanges(lines: DiffLine[]): PrintedLine[] {
  const near = lines.map(() => false);
  for (const [i, { sign }] of lines.entries()) {
    if (sign !== " ") near.fill(true, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  }
  return lines.flatMap((line, i): PrintedLine[] => {
    if (near[i]) return [line];
    return i === 0 || near[i - 1] ? [{ sign: "…", text: "" }] : [];
  });
}
