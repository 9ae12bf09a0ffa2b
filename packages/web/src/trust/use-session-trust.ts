import type { Session } from "@signalbox/client";
import type { FolderTrust, SessionTrust } from "@signalbox/api";
import { useCallback, useEffect, useState } from "react";
import { useReachable } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";

interface SessionTrustState {
  readonly state: SessionTrust["state"] | undefined;
  /** The findings, once they have been loaded. */
  readonly folder: FolderTrust | undefined;
  readonly refresh: () => void;
}

/**
 * The trust state of a session's folder and its findings. The hub reports the state once there was a run;
 * before the first run the folder is inspected here.
 */
export function useSessionTrust(session: Session): SessionTrustState {
  const { client } = useAppContext();
  const reachable = useReachable();
  const { id, trust } = session;
  const [folder, setFolder] = useState<FolderTrust>();
  const [times, setTimes] = useState(0);
  const isStarted = session.run !== undefined;
  const isOurs = session.driver !== "relay"; // Agents that dial in are started elsewhere.
  const wanted = isOurs && reachable && (!isStarted || (trust && trust.state !== "trusted"));
  useEffect(() => {
    if (!wanted) return undefined;
    let cancelled = false;
    client.sessionTrust(id).then(
      (found) => cancelled || setFolder(found),
      () => {}, // The machine may be offline; it is tried again when the session changes.
    );
    return () => {
      cancelled = true;
    };
  }, [client, id, wanted, trust?.state, trust?.findings, times]);
  const refresh = useCallback(() => setTimes((count) => count + 1), []);
  const early = folder?.state === "none" || folder?.state === "trusted" ? undefined : folder?.state;
  return { state: isStarted ? trust?.state : early, folder, refresh };
}
