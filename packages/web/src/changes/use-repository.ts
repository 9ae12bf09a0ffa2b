import type { RepositoryState } from "@signalbox/api";
import { useCallback, useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";

export type OpenRepository = Extract<RepositoryState, { repository: true }>;

/** Where a session's repository stands. It is read again when `version` is another one. */
export function useRepository(session: string, version: string) {
  const { client } = useAppContext();
  const [state, setState] = useState<OpenRepository>();
  const [nth, setNth] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    client.git.repository(session).then(
      (read) => isCurrent && setState(read.repository ? read : undefined),
      () => isCurrent && setState(undefined), // An older machine: it makes no commits.
    );
    return () => {
      isCurrent = false;
    };
  }, [client, session, version, nth]);
  const reload = useCallback(() => setNth((before) => before + 1), []);
  return { repository: state, reload };
}
