import { useCallback, useSyncExternalStore } from "react";
import type { Draft } from "./drafts.ts";
import { useAppContext } from "./app-context.tsx";

/** What is being written for a session; kept as it is written. */
export function useDraft(session: string): [Draft, (change: Partial<Draft>) => void] {
  const { drafts } = useAppContext();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(session));
  const change = useCallback(
    (news: Partial<Draft>) => drafts.set(session, { ...drafts.get(session), ...news }),
    [drafts, session],
  );
  return [draft, change];
}
