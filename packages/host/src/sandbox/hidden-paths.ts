import { statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { browserProfiles } from "./browser-profiles.ts";
import { launcherSockets, type SocketFolder, socketFolders } from "./launcher-sockets.ts";
import { mountPoints, otherPaths } from "./mount-points.ts";
import { resolveIfExists, isWithin, resolveRealPath } from "./paths.ts";
import { listPrivateFolders } from "./private-folder.ts";

export interface HiddenPath {
  /** A real path. */
  readonly path: string;
  readonly isFolder: boolean;
  /** A folder inside that stays visible and writable, because it is the agent's own. */
  readonly visiblePaths?: readonly string[];
  /** Whether this is another path to something that is also hidden at its own path. */
  readonly isSecondPath?: true;
}

/**
 * Lists everything that an isolated agent must not see: Signalbox's folders, the profiles of
 * browsers, and the sockets that can start a process or a turn outside, at every path where they
 * can be reached. The environment is the agent's, which may name folders that this process's does
 * not. Only existing paths are listed, from the top down; paths inside another hidden folder are
 * omitted.
 */
export function hiddenPaths(
  folders: readonly string[],
  home: string = homedir(),
  env: Readonly<Record<string, string | undefined>> = {},
): HiddenPath[] {
  const own = [...folders, ...listPrivateFolders(env)];
  const named = [...own, ...browserProfiles(home), ...launcherSockets(home)].flatMap(
    resolveIfExists,
  );
  const ofSockets = new Map([...socketFolders(env), ...socketFolders()].flatMap(withRealPaths));
  const mounts = mountPoints();
  const real = [...named, ...ofSockets.keys()];
  const first = new Set(real);
  const all = [...new Set([...real, ...real.flatMap((path) => otherPaths(path, mounts))])];
  // A wrong setting must not hide everything.
  const shown = ["/tmp", "/var/tmp", "/run", tmpdir(), home].map(resolveRealPath);
  const hidden = all
    .toSorted()
    .filter((path) => !shown.some((visiblePath) => isWithin(path, visiblePath)));
  return hidden
    .filter(
      (path) => !hidden.some((other) => other !== path && isHiddenWith(other, path, ofSockets)),
    )
    .map((path) => {
      const visibleSockets = ofSockets.get(path);
      const isFolder = statSync(path).isDirectory();
      const isSecondPath = !first.has(path) && { isSecondPath: true as const };
      return {
        path,
        isFolder,
        ...(visibleSockets && { visiblePaths: visibleSockets }),
        ...isSecondPath,
      };
    });
}

function withRealPaths({ path, visiblePaths: visibleSockets }: SocketFolder): [string, string[]][] {
  return resolveIfExists(path).map((real) => [real, visibleSockets.flatMap(resolveIfExists)]);
}

/** Whether the path is hidden together with the folder. */
function isHiddenWith(
  folder: string,
  path: string,
  visibleByFolder: ReadonlyMap<string, string[]>,
): boolean {
  return (
    isWithin(folder, path) && !visibleByFolder.get(folder)?.some((shown) => isWithin(shown, path))
  );
}
