/** As in `tool_use_result.structuredPatch`. */
export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}
const CONTEXT = 3;
/** Beyond this the middle is shown as replaced as a whole: the search would take too long. */
const LARGEST = 4_000_000;

type Step = { sign: " " | "-" | "+"; line: string };

/** The difference between two texts in hunks with three lines around each change. */
export function structuredPatch(before: string, after: string): Hunk[] {
  if (before === after) return [];
  const steps = difference(linesOf(before), linesOf(after));
  const hunks: Hunk[] = [];
  let oldAt = 1;
  let newAt = 1;
  let hunk: Hunk | undefined;
  let quiet = 0;
  const recent: string[] = [];
  for (const { sign, line } of steps) {
    const shown = line.endsWith("\n") ? line.slice(0, -1) : line;
    const tail = line.endsWith("\n") ? [] : ["\\ No newline at end of file"];
    if (sign === " ") {
      if (hunk && quiet < CONTEXT) push(hunk, sign, shown, tail);
      quiet++;
      if (hunk && quiet > 2 * CONTEXT) hunk = undefined;
      recent.push(shown);
    } else {
      if (hunk) {
        const from = Math.max(recent.length - Math.max(quiet - CONTEXT, 0), 0);
        for (const missed of quiet > CONTEXT ? recent.slice(from) : []) push(hunk, " ", missed, []);
      } else {
        const lead = recent.slice(-CONTEXT);
        hunk = {
          oldStart: oldAt - lead.length,
          oldLines: 0,
          newStart: newAt - lead.length,
          newLines: 0,
          lines: [],
        };
        for (const one of lead) push(hunk, " ", one, []);
        hunks.push(hunk);
      }
      push(hunk, sign, shown, tail);
      quiet = 0;
      recent.length = 0;
    }
    if (sign !== "+") oldAt++;
    if (sign !== "-") newAt++;
  }
  return hunks;
}

function push(hunk: Hunk, sign: Step["sign"], line: string, tail: readonly string[]): void {
  hunk.lines.push(sign + line, ...tail);
  if (sign !== "+") hunk.oldLines++;
  if (sign !== "-") hunk.newLines++;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function difference(before: readonly string[], after: readonly string[]): Step[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < after.length - start &&
    before.at(-1 - end) === after.at(-1 - end)
  ) {
    end++;
  }
  const middle = longest(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
  );
  const same = (line: string): Step => ({ sign: " ", line });
  return [
    ...before.slice(0, start).map(same),
    ...middle,
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence of lines. */
function longest(before: readonly string[], after: readonly string[]): Step[] {
  const removed = before.map((line): Step => ({ sign: "-", line }));
  const added = after.map((line): Step => ({ sign: "+", line }));
  if (before.length * after.length > LARGEST) return [...removed, ...added];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const steps: Step[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      steps.push({ sign: " ", line: before[i++]! });
      j++;
    } else if (
      j >= after.length ||
      (i < before.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      steps.push(removed[i++]!);
    } else steps.push(added[j++]!);
  }
  return steps;
}
