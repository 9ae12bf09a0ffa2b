import { useEffect, useState, useSyncExternalStore } from "react";
import { useAppContext } from "../store/app-context.tsx";
import { ChangesStore } from "./changes-store.ts";
import { SESSION_START } from "./comparison.ts";

/** The comparison that was chosen last, by session. */
const chosen = new Map<string, string>();

/** What has changed in a session's folder. It is read again whenever its machine reports a change. */
export function useChangesStore(session: string) {
  const { client } = useAppContext();
  const [store] = useState(
    () => new ChangesStore(client, session, chosen.get(session) ?? SESSION_START),
  );
  useEffect(() => {
    store.refresh();
    return client.watchChanges(session, (paths) => store.refresh(paths));
  }, [client, session, store]);
  const shown = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const setAgainst = (against: string) => {
    chosen.set(session, against);
    store.setAgainst(against);
  };
  return { store, shown, setAgainst };
}
