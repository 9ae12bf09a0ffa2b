import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { isWithin } from "./paths.ts";

/** One line of /proc/self/mountinfo. */
export interface MountPoint {
  readonly device: string;
  /** Which folder of the file system is mounted. */
  readonly root: string;
  readonly path: string;
  /** The kind of file system, such as `ext4` or `proc`. */
  readonly type: string;
}

/** Lists every mount that this process sees, in the order of their creation. */
export function mountPoints(text: string = readMounts()): MountPoint[] {
  return text.split("\n").flatMap((line) => {
    const [, , device, root, path] = line.split(" ");
    if (device === undefined || root === undefined || path === undefined) return [];
    const [type = ""] = line.split(" - ")[1]?.split(" ") ?? [];
    return [{ device, root: unescaped(root), path: unescaped(path), type }];
  });
}

/**
 * Lists the other paths of the same folder or file, or of a part of it: its file system may be
 * mounted at several places, whole or in part. The path is a real path.
 */
export function otherPaths(path: string, mounts: readonly MountPoint[]): string[] {
  const own = mounts
    .filter((mount) => isWithin(mount.path, path))
    .reduce<MountPoint | undefined>(
      (best, mount) => (best && best.path.length > mount.path.length ? best : mount),
      undefined,
    );
  if (!own) return [];
  const place = join(own.root, relative(own.path, path));
  return mounts.flatMap((mount) => {
    if (mount.device !== own.device) return [];
    const whole = isWithin(mount.root, place);
    if (!whole && !isWithin(place, mount.root)) return [];
    const other = whole ? join(mount.path, relative(mount.root, place)) : mount.path;
    const same = whole ? path : join(path, relative(place, mount.root));
    return other !== same && isSameFile(other, same) ? [other] : [];
  });
}

/** Another mount may cover it. */
function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [one, other].map((path) => statSync(path, { bigint: true }));
    return a?.dev === b?.dev && a?.ino === b?.ino;
  } catch {
    return false;
  }
}

/** Spaces, tabs, line feeds and backslashes are written as octal numbers. */
function unescaped(text: string): string {
  return text.replaceAll(/\\(\d{3})/g, (_, digits: string) =>
    String.fromCodePoint(Number.parseInt(digits, 8)),
  );
}

function readMounts(): string {
  try {
    return readFileSync("/proc/self/mountinfo", "utf8");
  } catch {
    return ""; // not on Linux
  }
}
