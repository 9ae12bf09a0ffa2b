import { readProcessStat } from "../system/process-stat.ts";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Lists the processes in the PID namespace that bubblewrap created, by their ids outside. The first
 * process of the namespace belongs to bubblewrap and is omitted: when it ends, all others do.
 */
export function processesInNamespaceUnder(bubblewrap: number): number[] {
  const [first] = listChildren(bubblewrap);
  if (first === undefined) return [];
  const namespace = getNamespace(first);
  if (namespace === undefined || namespace === getNamespace(bubblewrap)) return [];
  return processIds().filter((pid) => pid !== first && getNamespace(pid) === namespace);
}

function listChildren(parent: number): number[] {
  try {
    const listed = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8");
    return listed.split(" ").filter(Boolean).map(Number);
  } catch {
    // this kernel has no such list
    return processIds().filter((pid) => readProcessStat(pid)?.parent === parent);
  }
}

function getNamespace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined; // the process has ended, or belongs to another user
  }
}

function processIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
