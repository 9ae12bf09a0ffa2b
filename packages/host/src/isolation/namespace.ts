import { readProcessStat } from "../system/process-stat.ts";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * The processes in the PID namespace that bubblewrap made, as they are numbered out here. The first
 * process of the namespace is bubblewrap's own and is left out: when it ends, all of them do.
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
    return processIds().filter((pid) => readProcessStat(pid)?.parent === parent); // this kernel keeps no such list
  }
}

function getNamespace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined; // gone meanwhile, or another user's
  }
}

function processIds(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}
