import type { ItemOfKind, Session } from "@signalbox/client";
import { useCallback, useEffect, useState } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { errorMessage } from "@signalbox/protocol/text";

type File = Session["summary"]["changedFiles"][number];

interface AgentChanges {
  /** Undefined until they have been loaded once. */
  readonly calls: readonly ItemOfKind<"tool">[] | undefined;
  /** Whether there are earlier changes. */
  readonly older: boolean;
  readonly problem: string | undefined;
  readonly reload: () => void;
}

/** The tool calls that changed a file, loaded again after each change. */
export function useAgentChanges(session: string, { path, added, removed }: File): AgentChanges {
  const { client } = useAppContext();
  const [page, setPage] = useState<{ calls: readonly ItemOfKind<"tool">[]; older: boolean }>();
  const [problem, setProblem] = useState<string>();
  const [nth, setNth] = useState(0);
  useEffect(() => {
    let cancelled = false;
    const look = async () => {
      try {
        const { items, older } = await client.changes(session, path);
        if (cancelled) return;
        setPage({ calls: items.filter((item) => item.kind === "tool"), older });
        setProblem(undefined);
      } catch (failure) {
        if (!cancelled) setProblem(errorMessage(failure));
      }
    };
    void look();
    return () => {
      cancelled = true;
    };
  }, [client, session, path, added, removed, nth]);
  const reload = useCallback(() => setNth((n) => n + 1), []);
  return { calls: page?.calls, older: page?.older ?? false, problem, reload };
}
