import type { Session } from "@signalbox/client";
import { useState } from "react";
import type { ProjectGroup } from "../session-info/group-sessions.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useBoard } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";

const none: readonly Session[] = [];

/** The older sessions of Claude Code in a project, which are not on the board: loaded when they are wanted. */
export function useOlderSessions({ runner, folder }: Pick<ProjectGroup, "runner" | "folder">) {
  const { client, toasts } = useAppContext();
  const [sessions, setSessions] = useState(none);
  const count = useBoard(
    ({ projects }) =>
      projects.find((one) => one.runner === runner && one.folder === folder)?.older ?? 0,
  );
  const load = () => {
    if (count === 0) return;
    const loaded = client
      .sessions({ runner, folder })
      .then((all) =>
        setSessions(
          all.filter(({ archived }) => !archived).toSorted((a, b) => b.changedAt - a.changedAt),
        ),
      );
    loaded.catch((failure: unknown) => toasts.showError(strings.frame.couldNotShowMore, failure));
  };
  return { count, sessions, load };
}
