import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** The processes that a process started, and theirs. */
export function descendants(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(stat(Number(name))?.[1] ?? 0);
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  const look = (of: number) => {
    for (const child of children.get(of) ?? []) {
      found.push(child);
      look(child);
    }
  };
  look(pid);
  return found;
}

/** CPU of a process so far, with that of children it has waited for. */
export function cpuSeconds(pid: number): number {
  const fields = stat(pid);
  if (!fields) return 0;
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  const ticks = (user ?? 0) + (system ?? 0) + (childUser ?? 0) + (childSystem ?? 0);
  return ticks / TICKS_PER_SECOND;
}

/** From the third field of `/proc/PID/stat` on: the second may hold spaces. */
function stat(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined; // gone meanwhile
  }
}
