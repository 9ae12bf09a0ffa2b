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
    return processIds().filter((pid) => getParent(pid) === parent); // this kernel keeps no such list
  }
}

function getParent(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return undefined; // gone meanwhile
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
