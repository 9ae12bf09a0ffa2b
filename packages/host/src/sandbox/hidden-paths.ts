import { statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { browserProfiles } from "./browser-profiles.ts";
import { launcherSockets, type SocketFolder, socketFolders } from "./launcher-sockets.ts";
import { mountPoints, otherPaths } from "./mount-points.ts";
import { existing, isWithin, resolveRealPath } from "./paths.ts";
import { privateFolders } from "./private-folder.ts";

export interface HiddenPath {
  /** Without links. */
  readonly path: string;
  readonly isFolder: boolean;
  /** What can be seen and used in it all the same. Such a folder is the agent's own to write in. */
  readonly visiblePaths?: readonly string[];
  /** Another path to something that is hidden at its own, too. */
  readonly isSecondPath?: true;
}

/**
 * Everything that an isolated agent must not see: the named folders of Signalbox's, the profiles of
 * browsers, and the sockets by which a process or a turn outside could be started, at every place where they
 * can be reached. The environment is the agent's, which may name folders that this process's does not.
 * Only what exists is named, from the top down; what lies inside another hidden folder is left out.
 */
export function hiddenPaths(
  folders: readonly string[],
  home: string = homedir(),
  env: Readonly<Record<string, string | undefined>> = {},
): HiddenPath[] {
  const own = [...folders, ...privateFolders(env)];
  const named = [...own, ...browserProfiles(home), ...launcherSockets(home)].flatMap(existing);
  const ofSockets = new Map([...socketFolders(env), ...socketFolders()].flatMap(withRealPaths));
  const mounts = mountPoints();
  const real = [...named, ...ofSockets.keys()];
  const first = new Set(real);
  const all = [...new Set([...real, ...real.flatMap((path) => otherPaths(path, mounts))])];
  // A mistake in the settings must not hide all there is.
  const shown = ["/tmp", "/var/tmp", "/run", tmpdir(), home].map(resolveRealPath);
  const hidden = all
    .toSorted()
    .filter((path) => !shown.some((visiblePath) => isWithin(path, visiblePath)));
  return hidden
    .filter((path) => !hidden.some((other) => other !== path && covers(other, path, ofSockets)))
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
  return existing(path).map((real) => [real, visibleSockets.flatMap(existing)]);
}

/** Whether what lies at the path is hidden with the folder. */
function covers(
  folder: string,
  path: string,
  visibleByFolder: ReadonlyMap<string, string[]>,
): boolean {
  return (
    isWithin(folder, path) && !visibleByFolder.get(folder)?.some((shown) => isWithin(shown, path))
  );
}
