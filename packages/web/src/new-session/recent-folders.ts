import type { Session } from "@signalbox/client";

/** The folders of a machine that were used last, the newest first. */
export function recentFolders(
  sessions: readonly Session[],
  runner: string | undefined,
  most = 8,
): readonly string[] {
  const here = runner === undefined ? sessions : sessions.filter((one) => one.runner === runner);
  const newest = here.toSorted((a, b) => b.changedAt - a.changedAt);
  return [...new Set(newest.map(({ folder }) => folder))].slice(0, most);
}

export function joinPath(folder: string, name: string): string {
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}
