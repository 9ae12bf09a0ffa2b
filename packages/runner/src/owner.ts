import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * Who runs an agent, as all processes of a run carry it in their marker: the data folder, and the
 * very process. A process id alone would be another's some day: with its start time, the boot and
 * the namespace in which the id counts it is nobody else's, ever.
 */
export function createOwnerMarker(dataFolder: string, pid: number = process.pid): string {
  const folder = createHash("sha256").update(dataFolder).digest("hex").slice(0, 16);
  return [folder, pid, readStartTime(pid) ?? 0, readBootId(), readPidNamespace()].join(",");
}

/** Whether a marker names a runner of this data folder that is no more. */
export function isOrphan(dataFolder: string, owner: string): boolean {
  const [folder, pid, start, boot, space] = owner.split(",");
  const [ours] = createOwnerMarker(dataFolder).split(",");
  if (folder !== ours || space !== readPidNamespace()) return false;
  return boot !== readBootId() || String(readStartTime(Number(pid)) ?? "gone") !== start;
}

/** In ticks since the boot; undefined: there is no such process. */
function readStartTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const afterName = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return afterName[0] === "Z" ? undefined : Number(afterName[19]);
  } catch {
    return undefined;
  }
}

function readBootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function readPidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replace(/\D/g, "");
  } catch {
    return "";
  }
}
