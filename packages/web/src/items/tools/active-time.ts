import type { WaitPeriod } from "@signalbox/timeline";

/** The time between `from` and `to`, without the periods in which it waited for a person. */
export function activeTime(from: number, to: number, waits: readonly WaitPeriod[] = []): number {
  let waited = 0;
  let counted = from; // Periods may overlap; no moment counts twice.
  for (const wait of waits.toSorted((a, b) => a.from - b.from)) {
    const end = Math.min(to, wait.to ?? to);
    waited += Math.max(0, end - Math.max(counted, wait.from));
    counted = Math.max(counted, end);
  }
  return Math.max(0, to - from - waited);
}
