import { readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { type MountPoint, mountPoints } from "./mount-points.ts";
import { isWithin } from "./paths.ts";

/**
 * The devices that programs need. Terminals, keyboards, disks and the kernel's memory are omitted:
 * through them an agent could read what a person types, type in their place, or read hidden files.
 */
const usedByPrograms =
  /^(?:shm|mqueue|hugepages|log|dri|kfd|nvidia.*|dxg|accel|kvm|vhost-.*|vsock|fuse|net|snd|video\d+|media\d+|dma_heap|udmabuf|bus|ttyUSB\d+|ttyACM\d+)$/;

/** Lists the devices of /dev that are visible beside those that `--dev` creates. */
export function listVisibleDevices(names: readonly string[] = listDevices()): string[] {
  return names.filter((name) => usedByPrograms.test(name)).map((name) => join("/dev", name));
}

/**
 * Files below /proc that root can use to change the machine without any capability:
 * `kernel/core_pattern` names a program that the kernel starts outside. Bubblewrap itself makes
 * some others read-only (`sysrq-trigger`, `irq`, `bus`).
 */
const settingsOfKernel = ["sys", "fs", "acpi", "scsi", "driver", "mtrr"].map((name) =>
  join("/proc", name),
);

/** The kernel's magic numbers of these file systems. */
const numberByType: Readonly<Record<string, number>> = {
  cgroup: 0x27e0eb,
  cgroup2: 0x63677270,
  devpts: 0x1cd1,
  devtmpfs: 0x1021994,
  proc: 0x9fa0,
};

/**
 * Creates the arguments that give the agent its own terminals and protect the machine's: /dev gets
 * a separate `devpts`, so that a person's terminals can be neither read nor written. /sys is
 * read-only, because the files of a control group could freeze or kill the hub in it. Other mounts
 * of the same file systems, as in a chroot, are treated likewise.
 */
export function getMachineArguments(
  asRoot: boolean,
  mounts: readonly MountPoint[] = mountPoints(),
): string[] {
  const elsewhere = (types: readonly string[]) =>
    mounts.filter((mount) => types.includes(mount.type) && isElsewhere(mount) && isOnTop(mount));
  return [
    "--dev",
    "/dev",
    ...listVisibleDevices().flatMap((path) => ["--dev-bind-try", path, path]),
    "--ro-bind-try",
    "/sys",
    "/sys",
    ...elsewhere(["cgroup", "cgroup2"]).flatMap(({ path }) => ["--ro-bind", path, path]),
    ...elsewhere(["devpts", "devtmpfs", "proc"]).flatMap(({ path }) => ["--tmpfs", path]),
    ...(asRoot ? settingsOfKernel.flatMap((path) => ["--ro-bind-try", path, path]) : []),
  ];
}

function isElsewhere({ path }: MountPoint): boolean {
  return !["/dev", "/proc", "/sys"].some((folder) => isWithin(folder, path));
}

/** Another mount may cover it, or a folder above may be closed to this user. */
function isOnTop({ path, type }: MountPoint): boolean {
  try {
    return statfsSync(path).type === numberByType[type];
  } catch {
    return false;
  }
}

function listDevices(): string[] {
  try {
    return readdirSync("/dev");
  } catch {
    return []; // this user cannot list /dev
  }
}
