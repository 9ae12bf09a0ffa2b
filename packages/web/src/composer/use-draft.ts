import { useCallback, useState } from "react";
import type { Draft } from "../store/drafts.ts";
import { useWorld } from "../store/world.tsx";

/** What is being written for a session; kept as it is written. */
export function useDraft(session: string): [Draft, (change: Partial<Draft>) => void] {
  const { drafts } = useWorld();
  const [held, setHeld] = useState(() => ({ session, draft: drafts.get(session) }));
  const draft = held.session === session ? held.draft : drafts.get(session);
  const change = useCallback(
    (news: Partial<Draft>) => {
      const next = { ...drafts.get(session), ...news };
      drafts.set(session, next);
      setHeld({ session, draft: next });
    },
    [drafts, session],
  );
  return [draft, change];
}
