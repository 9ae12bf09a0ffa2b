import type { Session } from "@signalbox/client";
import type { FolderTrust, SessionTrust } from "@signalbox/api";
import { useCallback, useEffect, useState } from "react";
import { useReachable } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";

interface SessionTrustState {
  readonly state: SessionTrust["state"] | undefined;
  /** What the folder brings, once it was looked at. */
  readonly folder: FolderTrust | undefined;
  readonly refresh: () => void;
}

/**
 * How a session's folder stands, and what it brings. The hub says how it stands once there was a run; before
 * the first one the folder is looked at here.
 */
export function useSessionTrust(session: Session): SessionTrustState {
  const { client } = useAppContext();
  const reachable = useReachable();
  const { id, trust } = session;
  const [folder, setFolder] = useState<FolderTrust>();
  const [times, setTimes] = useState(0);
  const isStarted = session.run !== undefined;
  const isOurs = session.driver !== "relay"; // an agent that dials in is started elsewhere
  const wanted = isOurs && reachable && (!isStarted || (trust && trust.state !== "trusted"));
  useEffect(() => {
    if (!wanted) return undefined;
    let cancelled = false;
    client.sessionTrust(id).then(
      (found) => cancelled || setFolder(found),
      () => {}, // its machine is away: it is looked at when the session says more
    );
    return () => {
      cancelled = true;
    };
  }, [client, id, wanted, trust?.state, trust?.findings, times]);
  const refresh = useCallback(() => setTimes((count) => count + 1), []);
  const early = folder?.state === "none" || folder?.state === "trusted" ? undefined : folder?.state;
  return { state: isStarted ? trust?.state : early, folder, refresh };
}
