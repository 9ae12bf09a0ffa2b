import { signal } from "../store/signal.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";

/** An item that the conversation should scroll to. */
export interface RevealRequest {
  readonly session: string;
  readonly item: string;
  /** Whether the focus stays where it is, as while one goes from match to match. */
  readonly keepsFocus: boolean;
}
export const revealRequest = signal<RevealRequest | undefined>(undefined);

/** Scrolls to an item in its conversation, loading older items if needed. */
export function revealItem(session: string, item: string, keepsFocus = false): void {
  revealRequest.set({ session, item, keepsFocus });
}

/** How many older items are loaded at a time while looking for one. */
const PAGE_SIZE = 1000;
const RETRY_MS = 50;

/** Loads older items until this one is there. Returns whether it was found. */
export async function loadUntil({ watch }: SessionHandle, item: string, signal: AbortSignal) {
  const { view } = watch;
  while (!view.item(item) && view.hasOlder && !signal.aborted) {
    const before = view.ids.length;
    await watch.loadOlder(PAGE_SIZE);
    // Another page was being loaded, and this call has loaded none.
    if (view.ids.length === before) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  return view.item(item) !== undefined && !signal.aborted;
}

/** The row that shows an item: its own, or that of the subagent's call that contains it. */
export function findRow({ watch, tree }: SessionHandle, item: string): string | undefined {
  const rows = new Set(tree.rows);
  let at: string | undefined = item;
  while (at !== undefined && !rows.has(at)) at = watch.view.item(at)?.parent;
  return at;
}
