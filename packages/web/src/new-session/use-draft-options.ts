import type { NewSession, ProjectOptions, SessionOptions } from "@signalbox/api";
import { useEffect, useMemo, useState } from "react";
import {
  listOptionChanges,
  type OptionsDraft,
  toOptionsDraft,
} from "../session-options/options-draft.ts";
import { useAppContext } from "../store/app-context.tsx";

const noOptions: SessionOptions = {};

/** The options of a new session: those of its project, until they are edited. */
export function useDraftOptions(folder: string, runner: string | undefined) {
  const { client } = useAppContext();
  const [projects, setProjects] = useState<readonly ProjectOptions[]>([]);
  const [edited, setOptions] = useState<OptionsDraft>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isCancelled = false;
    const load = async () => {
      const found = await client.projectOptions();
      if (!isCancelled) setProjects(found);
    };
    void load().catch(() => undefined); // an older hub has none
    return () => {
      isCancelled = true;
    };
  }, [client, turn]);
  const project = projects.find((each) => each.folder === folder && each.runner === runner);
  const defaults: SessionOptions = project?.options ?? noOptions;
  const unedited = useMemo(() => toOptionsDraft(defaults), [defaults]);
  return {
    defaults,
    options: edited ?? unedited,
    setOptions,
    reloadDefaults: () => setTurn((held) => held + 1),
  };
}

/** What a new session is created with beside the defaults of its project, which the hub knows. */
export function buildNewOptions(
  defaults: SessionOptions,
  draft: OptionsDraft,
): Pick<NewSession, keyof SessionOptions | "withoutDefaults"> {
  const entries = Object.entries(listOptionChanges(defaults, draft));
  const removed = entries.filter(([, value]) => value === null).map(([name]) => name);
  const given = Object.fromEntries(entries.filter(([, value]) => value !== null));
  return {
    ...given,
    ...(removed.length > 0 && {
      withoutDefaults: removed as NonNullable<NewSession["withoutDefaults"]>,
    }),
  };
}
