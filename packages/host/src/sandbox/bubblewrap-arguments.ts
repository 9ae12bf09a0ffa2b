import { dirname } from "node:path";
import { namespaceArguments } from "./find-bubblewrap.ts";
import type { HiddenPath } from "./hidden-paths.ts";
import { machineArguments } from "./machine-mounts.ts";
import { isWithin } from "./paths.ts";

/**
 * Root keeps all other capabilities. With one of these it could take the masks away, trace a process
 * outside, read the disk past the file system, watch or change other processes through the kernel, or stop
 * the machine. CAP_PERFMON and CAP_BPF go by their numbers: an older libcap does not know their names, and
 * bubblewrap would not start.
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

export interface BubblewrapSetup {
  readonly folder: string;
  readonly hidden: readonly HiddenPath[];
  /** Folders inside of hidden ones that the agent may read, such as installed agents. */
  readonly readable: readonly string[];
  /** Folders inside of hidden ones that may be read and written. */
  readonly exposed?: readonly string[];
  /** The only places that may be written; undefined: all that the user may write. */
  readonly writable?: readonly string[];
  /** Files and folders, without links, that exist and cannot be written all the same. */
  readonly readOnly?: readonly string[];
  /** Files that are shown at another path inside. */
  readonly shown?: readonly { readonly path: string; readonly inside: string }[];
  /** False: a network of its own, without any connection. */
  readonly network: boolean;
  /** Set inside, whatever it was. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly asRoot: boolean;
}

/** The arguments of `bwrap` before the agent's own command. Later ones lie on top of earlier ones. */
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
      (path) => pinned(path, writable),
    ),
    ...namespaceArguments,
    ...machineArguments(asRoot),
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
    ...(setup.shown ?? []).flatMap(({ path, inside }) => ["--bind", path, inside]),
    "--chdir",
    folder,
    "--",
  ];
}

/** The kernel lets nobody rename what is mounted on, by whatever path it is named: the first one does. */
function isFirstPath({ isSecondPath }: HiddenPath): boolean {
  return !isSecondPath;
}

/** Every folder above one of the paths, from the top down. */
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
 * What is mounted cannot be renamed. A folder above a hidden one that was moved away would be seen, with
 * what is hidden in it, by every agent that starts later; one above a file that cannot be written could be
 * put in its place. Where nothing may be written nothing can be moved.
 */
function pinned(path: string, writable: readonly string[] | undefined): string[] {
  if (writable === undefined) return ["--dev-bind", path, path];
  return writable.some((folder) => isWithin(folder, path)) ? ["--bind", path, path] : [];
}
