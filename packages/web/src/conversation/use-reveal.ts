import { useEffect, useLayoutEffect, useState } from "react";
import { useSignal } from "../store/signal.ts";
import type { Talk } from "../store/use-session-handle.ts";
import { useWorld } from "../store/app-context.tsx";
import { fetchUntil, rowOf, type Wanted, wanted } from "./reveal.ts";

interface Found {
  readonly row: string;
  readonly item: string;
}

/** Scrolls to an item that is wanted, once it is among the rows. `found`: the one that was wanted last. */
export function useReveal(
  session: string,
  talk: Talk,
  rows: readonly string[],
  scrollTo: (index: number) => void,
): { readonly found: Found | undefined; readonly looking: boolean } {
  const { toasts } = useWorld();
  const want = useSignal(wanted);
  const [looking, setLooking] = useState(false);
  const [due, setDue] = useState<Found>();
  const [found, setFound] = useState<Found>();
  useEffect(() => {
    if (want?.session !== session) return undefined;
    const left = new AbortController();
    const look = async (one: Wanted) => {
      const { item } = one;
      setLooking(true);
      try {
        const there = await fetchUntil(talk, item, left.signal);
        const row = there ? rowOf(talk, item) : undefined;
        if (row !== undefined) setDue({ row, item });
        else if (!left.signal.aborted)
          toasts.fail("It cannot be shown", "it is not in the conversation");
      } catch (failure) {
        toasts.fail("The conversation could not be fetched so far back", failure);
      } finally {
        setLooking(false);
        if (wanted.get() === one) wanted.set(undefined);
      }
    };
    void look(want);
    return () => left.abort();
  }, [want, session, talk, toasts]);
  useLayoutEffect(() => {
    const at = due ? rows.indexOf(due.row) : -1;
    if (at === -1) return;
    scrollTo(at);
    setFound(due);
    setDue(undefined);
  }, [due, rows, scrollTo]);
  return { found, looking };
}
