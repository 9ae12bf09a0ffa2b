import type { LineView } from "@signalbox/api";

type Range = { after?: number; before?: number; limit: number };
export type ReadLines = (range: Range) => Promise<readonly LineView[]>;

/** The number of lines within which an agent reports its abilities. */
const FIRST_LINES = 40;
const NEWEST_LINES = 100;
/** The number of lines to look at for one that belongs to a run. */
const PROBE_LINES = 20;

/** The first lines of the newest run and the newest lines of the log. */
export async function readIntroduction(read: ReadLines): Promise<readonly LineView[]> {
  const newest = await read({ limit: NEWEST_LINES });
  const [first] = newest;
  const run = findRun(newest.toReversed());
  if (newest.length < NEWEST_LINES || !first || run === undefined) return newest;
  const after = await findRunStart(run, first.pos, read);
  const lines = await read({ after, limit: FIRST_LINES });
  return [...lines.filter(({ pos }) => pos < first.pos), ...newest];
}

/** The position before the first line of a run, found by binary search. */
async function findRunStart(run: string, end: number, read: ReadLines): Promise<number> {
  let low = 0;
  let high = end;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const lines = await read({ after: middle, limit: PROBE_LINES });
    if (findRun(lines) === run) high = middle;
    else low = middle + 1;
  }
  return low;
}

function findRun(lines: readonly LineView[]): string | undefined {
  return lines.find((line) => line.run !== null)?.run ?? undefined;
}
