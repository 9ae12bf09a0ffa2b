import { readStartTime } from "@signalbox/host/system";
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * Identifies the runner of an agent in the marker of all processes of a run: its data folder and its process.
 * The process id is combined with the start time, the boot and the pid namespace, because the system reuses
 * ids.
 */
export function createOwnerMarker(dataFolder: string, pid: number = process.pid): string {
  const folder = createHash("sha256").update(dataFolder).digest("hex").slice(0, 16);
  return [folder, pid, readStartTime(pid) ?? 0, readBootId(), readPidNamespace()].join(",");
}

/** Whether a marker names a runner of this data folder that has ended. */
export function isOrphan(dataFolder: string, owner: string): boolean {
  const [folder, pid, start, boot, space] = owner.split(",");
  const [ours] = createOwnerMarker(dataFolder).split(",");
  if (folder !== ours || space !== readPidNamespace()) return false;
  return boot !== readBootId() || (readStartTime(Number(pid)) ?? "gone") !== start;
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
