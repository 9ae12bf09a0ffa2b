import { readFileSync } from "node:fs";

interface ProcessStat {
  readonly isZombie: boolean;
  readonly parent: number;
  readonly group: number;
  /** In clock ticks since the boot. An id alone may have been reused by another process. */
  readonly startTime: string;
}

/**
 * Reads the state of a process from `/proc`; undefined if there is no such process, or no `/proc`.
 */
export function readProcessStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" "); // the name may contain anything
    const [state, parent, group] = fields;
    const startTime = fields[19] ?? "";
    return { isZombie: state === "Z", parent: Number(parent), group: Number(group), startTime };
  } catch {
    return undefined;
  }
}

/** The start time of a living process. */
export function readStartTime(pid: number): string | undefined {
  const stat = readProcessStat(pid);
  return stat && !stat.isZombie ? stat.startTime : undefined;
}

/** Whether there is a process with this id, whoever owns it. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
