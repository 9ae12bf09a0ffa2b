import type { ProjectView } from "@signalbox/api";
import type { Session } from "@signalbox/client";
import { useBoard } from "./use-hub.ts";

type Place = Pick<Session, "runner" | "folder">;

const branchesByList = new WeakMap<readonly ProjectView[], ReadonlyMap<string, string>>();

/** The Git branch of a session's folder, if it has one and its machine has said it. */
export function useBranch(place: Place): string | undefined {
  const key = getKey(place);
  return useBoard(({ projects }) => listBranches(projects).get(key));
}

/** The branches by project, made once for each list of projects. */
function listBranches(projects: readonly ProjectView[]): ReadonlyMap<string, string> {
  const known = branchesByList.get(projects);
  if (known) return known;
  const branches = new Map(
    projects.flatMap((project) =>
      project.branch === undefined ? [] : [[getKey(project), project.branch]],
    ),
  );
  branchesByList.set(projects, branches);
  return branches;
}

function getKey({ runner, folder }: Place): string {
  return `${runner}\n${folder}`;
}
