import { type DiffLine, diffLines } from "@signalbox/timeline";

/** A line of a diff as it is printed. "…" stands for unchanged lines that are left out. */
interface PrintedLine {
  readonly sign: DiffLine["sign"] | "…";
  readonly text: string;
}

const CONTEXT = 2;

/** What changes from one text to the other, line by line, with a little of what stays. */
export function diffWithContext(before: string, after: string): PrintedLine[] {
  return keepNearChanges(diffLines(before.split("\n"), after.split("\n")));
}

/** Leaves out what is far from any change. */
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
