import { dirname } from "node:path";
import { namespaceArguments } from "./find-bubblewrap.ts";
import type { HiddenPath } from "./hidden-paths.ts";
import { isWithin } from "./paths.ts";

/**
 * Root keeps all other capabilities. With one of these it could take the masks away, trace a process
 * outside, or read the disk past the file system.
 */
const droppedForRoot = [
  "CAP_SYS_ADMIN",
  "CAP_SYS_PTRACE",
  "CAP_SYS_MODULE",
  "CAP_MKNOD",
  "CAP_SYS_RAWIO",
  "CAP_DAC_READ_SEARCH",
  "CAP_SYS_CHROOT",
];

export interface BubblewrapSetup {
  readonly folder: string;
  readonly hidden: readonly HiddenPath[];
  /** Folders inside of hidden ones that the agent may read, such as installed agents. */
  readonly readable: readonly string[];
  /** The only places that may be written; undefined: all that the user may write. */
  readonly writable?: readonly string[];
  /** What cannot be written in those places all the same. */
  readonly readOnly?: readonly string[];
  /** False: a network of its own, without any connection. */
  readonly network: boolean;
  /** Set inside, whatever it was. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly asRoot: boolean;
}

/** The arguments of `bwrap` before the agent's own command. Later ones lie on top of earlier ones. */
export function bubblewrapArguments(setup: BubblewrapSetup): string[] {
  const { folder, hidden, readable, writable, network, asRoot } = setup;
  const root =
    writable === undefined
      ? ["--dev-bind", "/", "/"]
      : [
          "--ro-bind",
          "/",
          "/",
          "--dev-bind",
          "/dev",
          "/dev",
          ...writable.flatMap((path) => ["--bind-try", path, path]),
        ];
  return [
    ...root,
    ...namespaceArguments,
    ...(network ? [] : ["--unshare-net"]),
    ...Object.entries(setup.environment ?? {}).flatMap(([name, value]) => [
      "--setenv",
      name,
      value,
    ]),
    ...(asRoot ? droppedForRoot.flatMap((name) => ["--cap-drop", name]) : []),
    ...foldersAbove(hidden).flatMap((path) => pinned(path, writable)),
    ...(setup.readOnly ?? []).flatMap((path) => ["--ro-bind-try", path, path]),
    ...hidden.flatMap(({ path, isFolder, kept = [] }) => [
      ...(isFolder ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path]),
      ...kept.flatMap((shown) => ["--bind-try", shown, shown]),
    ]),
    ...readable.flatMap((path) => ["--ro-bind-try", path, path]),
    ...hidden.flatMap(({ path, isFolder, kept, isSecondPath }) =>
      isFolder && !kept && !isSecondPath ? ["--remount-ro", path] : [],
    ),
    "--chdir",
    folder,
    "--",
  ];
}

/**
 * Every folder above a hidden one, from the top down. The kernel lets nobody rename what is mounted on, by
 * whatever path it is named, so that those above a second path are held with the first one's.
 */
function foldersAbove(hidden: readonly HiddenPath[]): string[] {
  const above = new Set<string>();
  for (const { path } of hidden.filter(({ isSecondPath }) => !isSecondPath)) {
    for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
      above.add(folder);
    }
  }
  return [...above].toSorted((a, b) => a.length - b.length);
}

/**
 * What is mounted cannot be renamed. A folder above a hidden one that was moved away would be seen, with
 * what is hidden in it, by every agent that starts later. Where nothing may be written nothing can be moved.
 */
function pinned(path: string, writable: readonly string[] | undefined): string[] {
  if (writable === undefined) return ["--dev-bind", path, path];
  return writable.some((folder) => isWithin(folder, path)) ? ["--bind", path, path] : [];
}
