import { useEffect, useLayoutEffect, useState } from "react";
import { useSignal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { useAppContext } from "../store/app-context.tsx";
import { loadUntil, findRow, type RevealRequest, revealRequest } from "./reveal.ts";

const text = strings.conversation;

export interface RevealedItem {
  readonly row: string;
  readonly item: string;
  readonly keepsFocus: boolean;
}

/** Scrolls to a requested item once it is among the rows. `found` is the last one. */
export function useReveal(
  session: string,
  handle: SessionHandle,
  rows: readonly string[],
  scrollTo: (index: number) => void,
  /** Unfolds the work that contains a row. */
  openWork: (row: string) => void,
): { readonly found: RevealedItem | undefined; readonly looking: boolean } {
  const { toasts } = useAppContext();
  const want = useSignal(revealRequest);
  const [looking, setLooking] = useState(false);
  const [due, setDue] = useState<RevealedItem>();
  const [found, setFound] = useState<RevealedItem>();
  useEffect(() => {
    if (want?.session !== session) return undefined;
    const left = new AbortController();
    const look = async (one: RevealRequest) => {
      const { item, keepsFocus } = one;
      setLooking(true);
      try {
        const there = await loadUntil(handle, item, left.signal);
        const row = there ? findRow(handle, item) : undefined;
        if (row !== undefined) {
          openWork(row);
          setDue({ row, item, keepsFocus });
        } else if (!left.signal.aborted)
          toasts.showError(text.couldNotShow, text.notInConversation);
      } catch (failure) {
        toasts.showError(text.couldNotLoadOlder, failure);
      } finally {
        setLooking(false);
        if (revealRequest.get() === one) revealRequest.set(undefined);
      }
    };
    void look(want);
    return () => left.abort();
  }, [want, session, handle, toasts, openWork]);
  useLayoutEffect(() => {
    const at = due ? rows.indexOf(due.row) : -1;
    if (at === -1) return;
    scrollTo(at);
    setFound(due);
    setDue(undefined);
  }, [due, rows, scrollTo]);
  return { found, looking };
}
