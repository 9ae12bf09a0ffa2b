/** A run of lines that differ: `old` and `new` are half-open ranges of line indexes. */
export type Change = {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
};

/**
 * The number of comparisons that a diff may cost, about 50 ms. Beyond it the differing middle
 * counts as replaced.
 */
const BUDGET = 4_000_000;
/** The most edits that are searched for: the memory of the search grows with their square. */
const MAX_EDITS = 1500;

/**
 * Finds the runs of lines that turn one list into the other, as few lines as possible (greedy Myers
 * diff).
 */
export function findChanges(before: readonly string[], after: readonly string[]): Change[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd--;
    newEnd--;
  }
  if (start === oldEnd && start === newEnd) return [];
  const whole = { oldFrom: start, oldTo: oldEnd, newFrom: start, newTo: newEnd };
  if (start === oldEnd || start === newEnd) return [whole];
  const ids = new Map<string, number>();
  const id = (line: string) => ids.get(line) ?? (ids.set(line, ids.size), ids.size - 1);
  const a = Int32Array.from(before.slice(start, oldEnd), id);
  const b = Int32Array.from(after.slice(start, newEnd), id);
  const trace = search(a, b);
  return trace ? traceBack(trace, a.length, b.length, start) : [whole];
}

/** For every number of edits, how far each diagonal got; undefined when the budget is used up. */
function search(a: Int32Array, b: Int32Array): Int32Array[] | undefined {
  const maxEdits = Math.min(a.length + b.length, MAX_EDITS);
  const trace: Int32Array[] = [];
  let furthest = new Int32Array(3);
  let work = 0;
  for (let edits = 0; edits <= maxEdits; edits++) {
    const next = new Int32Array(2 * edits + 3); // diagonal k is at k + edits + 1
    for (let k = -edits; k <= edits; k += 2) {
      let x = edits === 0 ? 0 : stepTo(furthest, k, edits);
      const from = x;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      work += x - from + 1;
      next[k + edits + 1] = x;
      if (x >= a.length && x - k >= b.length) {
        trace.push(next);
        return trace;
      }
    }
    if (work > BUDGET) return undefined;
    trace.push(next);
    furthest = next;
  }
  return undefined;
}

/**
 * Where diagonal `k` starts: after inserting a line (from k + 1) or, if that gets further, after
 * removing one.
 */
function stepTo(furthest: Int32Array, k: number, edits: number): number {
  const down = k === edits ? -1 : (furthest[k + 1 + edits] ?? -1);
  const right = k === -edits ? -1 : (furthest[k - 1 + edits] ?? -1) + 1;
  return Math.max(down, right);
}

function traceBack(trace: Int32Array[], oldLines: number, newLines: number, shift: number) {
  const changes: Change[] = [];
  let [x, y] = [oldLines, newLines];
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const k = x - y;
    const furthest = trace[edits - 1] ?? new Int32Array(0);
    const down = k === edits ? -1 : (furthest[k + 1 + edits] ?? -1);
    const right = k === -edits ? -1 : (furthest[k - 1 + edits] ?? -1) + 1;
    const isInsertion = down >= right;
    const at = isInsertion ? down : right; // just after the edit, before the equal lines that follow it
    const from = { x: isInsertion ? at : at - 1, y: isInsertion ? at - k - 1 : at - k };
    addBefore(changes, { oldFrom: from.x, oldTo: at, newFrom: from.y, newTo: at - k }, shift);
    ({ x, y } = from);
  }
  return changes.toReversed();
}

/**
 * Changes are found from last to first. A change that is adjacent to the one after it extends that
 * one.
 */
function addBefore(changes: Change[], { oldFrom, oldTo, newFrom, newTo }: Change, shift: number) {
  const next = changes.at(-1);
  const isAdjacent = next?.oldFrom === oldTo + shift && next.newFrom === newTo + shift;
  const end = isAdjacent ? next : { oldTo: oldTo + shift, newTo: newTo + shift };
  if (isAdjacent) changes.pop();
  changes.push({
    oldFrom: oldFrom + shift,
    oldTo: end.oldTo,
    newFrom: newFrom + shift,
    newTo: end.newTo,
  });
}
