import { signal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";

/** An item that somebody wants to see where it stands. */
export interface RevealRequest {
  readonly session: string;
  readonly item: string;
}
export const revealRequest = signal<RevealRequest | undefined>(undefined);

/** Shows an item in its conversation, however far up it stands. */
export function revealItem(session: string, item: string): void {
  revealRequest.set({ session, item });
}

/** Older items are fetched in large steps by one who knows what they are looking for. */
const PAGE_SIZE = 1000;
const RETRY_MS = 50;

/** Fetches older items until this one is there; gives whether it is. */
export async function loadUntil({ watch }: SessionHandle, item: string, signal: AbortSignal) {
  const { view } = watch;
  while (!view.item(item) && view.older && !signal.aborted) {
    const before = view.ids.length;
    await watch.loadOlder(PAGE_SIZE);
    // Another page was on its way, and this call has fetched none.
    if (view.ids.length === before) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return view.item(item) !== undefined && !signal.aborted;
}

/** The row in which an item stands: its own, or that of the call under which a subagent did it. */
export function findRow({ watch, tree }: SessionHandle, item: string): string | undefined {
  const rows = new Set(tree.rows);
  let at: string | undefined = item;
  while (at !== undefined && !rows.has(at)) at = watch.view.item(at)?.parent;
  return at;
}
