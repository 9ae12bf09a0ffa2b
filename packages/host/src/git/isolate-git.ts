import { findAuthorizedKeys } from "../sandbox/authorized-keys.ts";
import { bubblewrapArguments } from "../sandbox/bubblewrap-arguments.ts";
import { findBubblewrap } from "../sandbox/find-bubblewrap.ts";
import { hiddenPaths } from "../sandbox/hidden-paths.ts";
import { type FolderList, isWithin, resolveFolders, resolveRealPath } from "../sandbox/paths.ts";

/**
 * The folders that Git's own programs must not see, such as the hub's; undefined if Git is not
 * isolated.
 */
let hiddenFromGit: FolderList | undefined;
const bubblewrap = { found: undefined as ReturnType<typeof findBubblewrap> | undefined };

/**
 * Makes Git run inside bubblewrap from now on, if it is available: without network and without
 * these folders. Git can write only in the folders that a command names.
 */
export function isolateGit(folders: FolderList): void {
  hiddenFromGit = folders;
}

/**
 * Real paths that are hidden from Git where it is isolated, and that nobody may read or change through a
 * repository in any case: a session's folder may be around the data folder of Signalbox.
 */
export function listHiddenFromGit(): readonly string[] {
  return hiddenPaths(resolveFolders(hiddenFromGit ?? [])).map(({ path }) => path);
}

interface IsolatedCommand {
  readonly writable?: readonly string[] | "everywhere" | undefined;
  /** Folders inside of hidden ones in which Git may write. */
  readonly exposed?: readonly string[] | undefined;
  readonly network?: boolean | undefined;
}

/**
 * Creates the command prefix for Git, which can then write only in these folders, and not in
 * Signalbox's own program, for example. A string explains why Git must not run in this folder,
 * which is a real path.
 */
export async function planGitIsolation(
  folder: string,
  { writable = [], exposed = [], network = false }: IsolatedCommand,
): Promise<readonly string[] | string> {
  if (hiddenFromGit === undefined) return [];
  const hidden = hiddenPaths(resolveFolders(hiddenFromGit));
  const over = hidden.find(({ path }) => isWithin(path, folder));
  if (over) return `${folder} lies in ${over.path}, which is hidden from Git`;
  if (process.platform !== "linux") return [];
  const { path } = await (bubblewrap.found ??= findBubblewrap());
  if (path === undefined) return [];
  const setup = {
    folder: "/",
    hidden,
    readable: [],
    ...(writable !== "everywhere" && { writable: writable.map(resolveRealPath) }),
    exposed: exposed.map(resolveRealPath),
    readOnly: findAuthorizedKeys(),
    network,
    asRoot: process.getuid?.() === 0,
  };
  return [path, ...bubblewrapArguments(setup)];
}
