const LIMIT = 4_000_000; // cells of the table; beyond it the middle counts as replaced

/** How many lines have to be put in and taken out to make one text of the other. */
export function countChanges(from: string, to: string): { insertions: number; deletions: number } {
  let [a, b] = [linesOf(from), linesOf(to)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  a = a.slice(start, endA);
  b = b.slice(start, endB);
  const same = a.length * b.length > LIMIT ? 0 : longestCommon(a, b);
  return { insertions: b.length - same, deletions: a.length - same };
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function longestCommon(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1);
  for (const line of a) {
    const row = new Uint32Array(b.length + 1);
    for (let at = 0; at < b.length; at++) {
      row[at + 1] = line === b[at] ? above[at]! + 1 : Math.max(above[at + 1]!, row[at]!);
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
