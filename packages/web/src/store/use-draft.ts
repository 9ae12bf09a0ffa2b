import { useCallback, useSyncExternalStore } from "react";
import type { MessageDraft } from "./drafts.ts";
import { useAppContext } from "./app-context.tsx";

/** The draft of a session, saved while it is typed. */
export function useDraft(session: string): [MessageDraft, (change: Partial<MessageDraft>) => void] {
  const { drafts } = useAppContext();
  const draft = useSyncExternalStore(drafts.subscribe, () => drafts.get(session));
  const change = useCallback(
    (news: Partial<MessageDraft>) => drafts.set(session, { ...drafts.get(session), ...news }),
    [drafts, session],
  );
  return [draft, change];
}
