import { readFileSync } from "node:fs";

/** In MiB. */
export function rssMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024);
}

/** That a process has used by now, of all its threads. */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // from the third on
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Looks again and again, and keeps the highest. */
export function watchRss(pid: number) {
  let peakMb = rssMb(pid);
  const timer = setInterval(() => (peakMb = Math.max(peakMb, rssMb(pid))), 50);
  return {
    get peakMb() {
      return peakMb;
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

/** 0 when it is gone by now. */
export function findParent(pid: number): number {
  return Number(/^PPid:\t(\d+)/m.exec(readProcessFile(pid, "status"))?.[1] ?? 0);
}

/** Its command line, or another file of its; empty when it is gone by now. */
export function readProcessFile(pid: number, file: "cmdline" | "environ" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
