import { structuredPatch as findPatch } from "diff";

/** A hunk in the format of `tool_use_result.structuredPatch`. */
interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}
const CONTEXT = 3;
/** With more changes than this, the search for the shortest difference takes too long. */
const MAX_CHANGES = 1000;

/** Computes the difference between two texts, in hunks with three lines of context. */
export function structuredPatch(before: string, after: string): Hunk[] {
  const options = { context: CONTEXT, maxEditLength: MAX_CHANGES };
  const patch = findPatch("", "", before, after, undefined, undefined, options);
  return patch?.hunks ?? [replaceAll(before, after)];
}

/** Creates one hunk that removes every line and adds every line. */
function replaceAll(before: string, after: string): Hunk {
  const [removed, added] = [splitLines(before), splitLines(after)];
  return {
    oldStart: 1,
    oldLines: removed.length,
    newStart: 1,
    newLines: added.length,
    lines: [...markLines("-", removed), ...markLines("+", added)],
  };
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function markLines(sign: "-" | "+", lines: readonly string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n")
      ? [sign + line.slice(0, -1)]
      : [sign + line, "\\ No newline at end of file"],
  );
}
