import { readdirSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { type MountPoint, mountPoints } from "./mount-points.ts";
import { isWithin } from "./paths.ts";

/**
 * The devices that programs use. Left out are terminals, keyboards, disks and the kernel's memory: through
 * them an agent would read what a person types, type in their place, or read files past every mask.
 */
const usedByPrograms =
  /^(?:shm|mqueue|hugepages|log|dri|kfd|nvidia.*|dxg|accel|kvm|vhost-.*|vsock|fuse|net|snd|video\d+|media\d+|dma_heap|udmabuf|bus|ttyUSB\d+|ttyACM\d+)$/;

/** What of /dev is shown beside the devices that `--dev` makes anew. */
export function shownDevices(names: readonly string[] = listDevices()): string[] {
  return names.filter((name) => usedByPrograms.test(name)).map((name) => join("/dev", name));
}

/**
 * Below /proc, files by which root changes the machine without any capability, since they belong to root:
 * `kernel/core_pattern` names a program that the kernel starts outside. Bubblewrap itself makes some others
 * read-only (`sysrq-trigger`, `irq`, `bus`).
 */
const settingsOfKernel = ["sys", "fs", "acpi", "scsi", "driver", "mtrr"].map((name) =>
  join("/proc", name),
);

/** How the kernel names these file systems when it is asked what lies at a path. */
const numberByType: Readonly<Record<string, number>> = {
  cgroup: 0x27e0eb,
  cgroup2: 0x63677270,
  devpts: 0x1cd1,
  devtmpfs: 0x1021994,
  proc: 0x9fa0,
};

/**
 * Gives the agent terminals of its own and keeps it from the machine's: /dev has a `devpts` of its own, so
 * that a person's terminals can be neither read nor written. Nothing of /sys can be written, since whoever
 * writes the files of a control group can freeze or kill the hub in it. The same file systems elsewhere, as
 * a chroot has them, are treated likewise.
 */
export function machineArguments(
  asRoot: boolean,
  mounts: readonly MountPoint[] = mountPoints(),
): string[] {
  const elsewhere = (types: readonly string[]) =>
    mounts.filter((mount) => types.includes(mount.type) && isElsewhere(mount) && isOnTop(mount));
  return [
    "--dev",
    "/dev",
    ...shownDevices().flatMap((path) => ["--dev-bind-try", path, path]),
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

/** Another mount may lie over it, and this user may be kept from it by a folder above. */
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
    return []; // /dev cannot be listed by this user
  }
}
