import type { ShownFile } from "./changes-store.ts";
import { listLines } from "./changed-since.ts";
import type { CommentTarget } from "./use-review.ts";

interface ChosenLine {
  readonly shown: ShownFile;
  readonly side: "old" | "new";
  readonly line: number;
}

/** What a comment on a line is about; with `from`, on all lines from the one that was chosen first. */
export function createLineTarget(
  { shown, side, line }: ChosenLine,
  from?: CommentTarget,
): CommentTarget | undefined {
  const { file, diff } = shown;
  if (diff?.kind !== "text") return undefined;
  const isSame = from?.path === file.path && from.side === side;
  const start = (isSame ? from.start : undefined) ?? line;
  const [first, last] = start < line ? [start, line] : [line, start];
  const all = listLines(diff, side);
  const numbers = [...all.keys()].filter((number) => number >= first && number <= last);
  const before = all.get(first - 1);
  const after = all.get(last + 1);
  return {
    path: file.path,
    side,
    start,
    lines: { first, last },
    code: numbers.map((number) => all.get(number)).join("\n"),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
  };
}
