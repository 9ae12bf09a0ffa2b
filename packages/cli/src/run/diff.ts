export interface DiffLine {
  readonly sign: " " | "-" | "+" | "…";
  readonly text: string;
}

const CONTEXT = 2;
const MOST_CELLS = 1_000_000;

/** What changes from one text to the other, line by line, with a little of what stays. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let same = 0;
  const shorter = Math.min(old.length, now.length) - start;
  while (same < shorter && old.at(-1 - same) === now.at(-1 - same)) same++;
  const changed = between(old.slice(start, old.length - same), now.slice(start, now.length - same));
  const kept = (lines: string[]) => lines.map((text): DiffLine => ({ sign: " ", text }));
  return nearChanges([
    ...kept(old.slice(0, start)),
    ...changed,
    ...kept(same === 0 ? [] : old.slice(-same)),
  ]);
}

/** By the longest common subsequence; texts that are too long for it count as wholly different. */
function between(old: string[], now: string[]): DiffLine[] {
  const replaced: DiffLine[] = [
    ...old.map((text): DiffLine => ({ sign: "-", text })),
    ...now.map((text): DiffLine => ({ sign: "+", text })),
  ];
  if (old.length === 0 || now.length === 0 || old.length * now.length > MOST_CELLS) return replaced;
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ sign: " ", text: old[i++] ?? "" });
      j++;
    } else if (j >= now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ sign: "-", text: old[i++] ?? "" });
    } else {
      lines.push({ sign: "+", text: now[j++] ?? "" });
    }
  }
  return lines;
}

/** Leaves out what is far from any change. */
function nearChanges(lines: DiffLine[]): DiffLine[] {
  const near = lines.map(() => false);
  for (const [i, { sign }] of lines.entries()) {
    if (sign !== " ") near.fill(true, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  }
  return lines.flatMap((line, i) => {
    if (near[i]) return [line];
    return i === 0 || near[i - 1] ? [{ sign: "…", text: "" }] : [];
  });
}
