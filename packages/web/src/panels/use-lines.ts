import type { Session } from "@signalbox/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSeconds } from "../store/clock.ts";
import { isBusy } from "@signalbox/client";
import { useReachable } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { useAppContext } from "../store/app-context.tsx";
import { type LoadedLines, noLines, withNewest, withOlder } from "./loaded-lines.ts";

const PAGE = 100;

interface WireLines extends LoadedLines {
  readonly older: () => void;
  readonly newest: () => void;
}

/** The lines of a session's log. New ones are loaded while `following` returns true. */
export function useLines(session: Session, following: () => boolean): WireLines {
  const { client, toasts } = useAppContext();
  const { id } = session;
  const [loaded, setLoaded] = useState(noLines);
  const loading = useRef(false);
  const failed = useRef(false); // The error is reported once; after that the person has to ask again.
  const load = useCallback(
    async (before?: number) => {
      if (loading.current) return;
      loading.current = true;
      try {
        const range = { limit: PAGE, ...(before !== undefined && { before }) };
        const page = await client.lines(id, range);
        setLoaded((current) =>
          before === undefined ? withNewest(current, page) : withOlder(current, page),
        );
        failed.current = false;
      } catch (failure) {
        failed.current = true;
        toasts.showError(strings.panels.protocol.couldNotLoad, failure);
      } finally {
        loading.current = false;
      }
    },
    [client, id, toasts],
  );
  const reachable = useReachable();
  const tick = useSeconds(isBusy(session) && reachable); // The board does not change while text streams, so this polls.
  useEffect(() => {
    if (reachable && !failed.current && following()) void load();
  }, [load, following, reachable, tick, session]);
  const first = loaded.lines[0]?.pos;
  return {
    ...loaded,
    older: () => void load(first),
    newest: () => void load(),
  };
}
