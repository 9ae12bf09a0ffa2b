import { useCallback, useSyncExternalStore } from "react";
import type { Draft } from "./drafts.ts";
import { useAppContext } from "./app-context.tsx";

/** The draft of a session, saved while it is typed. */
export function useDraft(session: string): [Draft, (change: Partial<Draft>) => void] {
  const { drafts } = useAppContext();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(session));
  const change = useCallback(
    (news: Partial<Draft>) => drafts.set(session, { ...drafts.get(session), ...news }),
    [drafts, session],
  );
  return [draft, change];
}
