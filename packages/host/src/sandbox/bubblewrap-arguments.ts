import { dirname } from "node:path";
import { namespaceArguments } from "./find-bubblewrap.ts";
import type { HiddenPath } from "./hidden-paths.ts";
import { getMachineArguments } from "./machine-mounts.ts";
import { isWithin } from "./paths.ts";

/**
 * Capabilities that root loses; it keeps all others. With one of these it could remove the masks,
 * trace a process outside, read the disk past the file system, watch or change other processes
 * through the kernel, or stop the machine. CAP_PERFMON and CAP_BPF are given by number: an older
 * libcap does not know their names, and bubblewrap would not start.
 */
const droppedForRoot = [
  "CAP_SYS_ADMIN",
  "CAP_SYS_PTRACE",
  "CAP_SYS_MODULE",
  "CAP_MKNOD",
  "CAP_SYS_RAWIO",
  "CAP_DAC_READ_SEARCH",
  "CAP_SYS_CHROOT",
  "CAP_NET_ADMIN",
  "CAP_SYS_BOOT",
  "CAP_SETPCAP",
  "38",
  "39",
];

/** A file or folder that appears at another path inside. */
interface ShownPath {
  readonly path: string;
  readonly inside: string;
  readonly isReadOnly?: boolean;
}

export interface BubblewrapSetup {
  readonly folder: string;
  readonly hidden: readonly HiddenPath[];
  /** Folders inside hidden ones that the agent may read, such as installed agents. */
  readonly readable: readonly string[];
  /** Folders inside of hidden ones that may be read and written. */
  readonly exposed?: readonly string[];
  /** The only writable paths; undefined: everything that the user may write. */
  readonly writable?: readonly string[];
  /** Existing files and folders, as real paths, that are read-only in any case. */
  readonly readOnly?: readonly string[];
  /** Files that appear at another path inside. */
  readonly shown?: readonly ShownPath[];
  /** False: its own network, without any connection. */
  readonly network: boolean;
  /** Variables that are set inside, overriding others. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly asRoot: boolean;
}

/**
 * Creates the arguments of `bwrap` before the agent's own command. Later ones cover earlier ones.
 */
export function bubblewrapArguments(setup: BubblewrapSetup): string[] {
  const {
    folder,
    hidden,
    readable,
    exposed = [],
    writable,
    readOnly = [],
    network,
    asRoot,
  } = setup;
  const root =
    writable === undefined
      ? ["--dev-bind", "/", "/"]
      : ["--ro-bind", "/", "/", ...writable.flatMap((path) => ["--bind-try", path, path])];
  return [
    ...root,
    ...foldersAbove([...hidden.filter(isFirstPath).map(({ path }) => path), ...readOnly]).flatMap(
      (path) => listPinnedPaths(path, writable),
    ),
    ...namespaceArguments,
    ...getMachineArguments(asRoot),
    ...(network ? [] : ["--unshare-net"]),
    ...Object.entries(setup.environment ?? {}).flatMap(([name, value]) => [
      "--setenv",
      name,
      value,
    ]),
    ...(asRoot ? droppedForRoot.flatMap((name) => ["--cap-drop", name]) : []),
    ...readOnly.flatMap((path) => ["--ro-bind-try", path, path]),
    ...hidden.flatMap(({ path, isFolder, visiblePaths = [] }) => [
      ...(isFolder ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path]),
      ...visiblePaths.flatMap((shown) => ["--bind-try", shown, shown]),
    ]),
    ...readable.flatMap((path) => ["--ro-bind-try", path, path]),
    ...exposed.flatMap((path) => ["--bind-try", path, path]),
    ...hidden.flatMap(({ path, isFolder, visiblePaths, isSecondPath }) =>
      isFolder && !visiblePaths && !isSecondPath ? ["--remount-ro", path] : [],
    ),
    ...(setup.shown ?? []).flatMap(({ path, inside, isReadOnly }) => [
      isReadOnly ? "--ro-bind" : "--bind",
      path,
      inside,
    ]),
    "--chdir",
    folder,
    "--",
  ];
}

/** A mount point cannot be renamed, whatever path is used, so the first path is enough. */
function isFirstPath({ isSecondPath }: HiddenPath): boolean {
  return !isSecondPath;
}

/** Lists every folder above the paths, from the top down. */
function foldersAbove(paths: readonly string[]): string[] {
  const above = new Set<string>();
  for (const path of paths) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      above.add(folder);
    }
  }
  return [...above].toSorted((a, b) => a.length - b.length);
}

/**
 * Lists folders to mount, because a mount point cannot be renamed. If a folder above a hidden one
 * were moved, later agents would see its hidden content; a folder above a read-only file could be
 * replaced together with the file. Where nothing may be written, nothing can be moved.
 */
function listPinnedPaths(path: string, writable: readonly string[] | undefined): string[] {
  if (writable === undefined) return ["--dev-bind", path, path];
  return writable.some((folder) => isWithin(folder, path)) ? ["--bind", path, path] : [];
}
