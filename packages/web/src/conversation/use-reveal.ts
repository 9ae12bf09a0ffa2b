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

/** Scrolls to a requested item once it is among the rows. `revealed` is the last one. */
export function useReveal(
  session: string,
  handle: SessionHandle,
  rows: readonly string[],
  scrollTo: (index: number) => void,
  /** Unfolds the work that contains a row. */
  openWork: (row: string) => void,
): { readonly revealed: RevealedItem | undefined; readonly isSearching: boolean } {
  const { toasts } = useAppContext();
  const request = useSignal(revealRequest);
  const [isSearching, setSearching] = useState(false);
  const [pending, setPending] = useState<RevealedItem>();
  const [revealed, setRevealed] = useState<RevealedItem>();
  useEffect(() => {
    if (request?.session !== session) return undefined;
    const cancelled = new AbortController();
    const search = async (one: RevealRequest) => {
      const { item, keepsFocus } = one;
      setSearching(true);
      try {
        const there = await loadUntil(handle, item, cancelled.signal);
        const row = there ? findRow(handle, item) : undefined;
        if (row !== undefined) {
          openWork(row);
          setPending({ row, item, keepsFocus });
        } else if (!cancelled.signal.aborted)
          toasts.showError(text.couldNotShow, text.notInConversation);
      } catch (failure) {
        toasts.showError(text.couldNotLoadOlder, failure);
      } finally {
        setSearching(false);
        if (revealRequest.get() === one) revealRequest.set(undefined);
      }
    };
    void search(request);
    return () => cancelled.abort();
  }, [request, session, handle, toasts, openWork]);
  useLayoutEffect(() => {
    const at = pending ? rows.indexOf(pending.row) : -1;
    if (at === -1) return;
    scrollTo(at);
    setRevealed(pending);
    setPending(undefined);
  }, [pending, rows, scrollTo]);
  return { revealed, isSearching };
}
