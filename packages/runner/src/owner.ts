import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * Who runs an agent, as all processes of a run carry it in their marker: the data folder, and the
 * very process. A process id alone would be another's some day: with its start time, the boot and
 * the namespace in which the id counts it is nobody else's, ever.
 */
export function ownerText(dataFolder: string, pid: number = process.pid): string {
  const folder = createHash("sha256").update(dataFolder).digest("hex").slice(0, 16);
  return [folder, pid, startTime(pid) ?? 0, bootId(), namespace()].join(",");
}

/** Whether a marker names a runner of this data folder that is no more. */
export function isOrphan(dataFolder: string, owner: string): boolean {
  const [folder, pid, start, boot, space] = owner.split(",");
  const [ours] = ownerText(dataFolder).split(",");
  if (folder !== ours || space !== namespace()) return false;
  return boot !== bootId() || String(startTime(Number(pid)) ?? "gone") !== start;
}

/** In ticks since the boot; undefined: there is no such process. */
function startTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return afterName[0] === "Z" ? undefined : Number(afterName[19]);
  } catch {
    return undefined;
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function namespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  } catch {
    return "";
  }
}
