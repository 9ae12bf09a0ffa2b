import { copySession, type Item, type SessionWatch } from "@signalbox/client";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { ItemTree } from "./item-tree.ts";
import { throttle } from "./throttle.ts";
import { useAppContext } from "./app-context.tsx";

export interface SessionHandle {
  readonly watch: SessionWatch;
  readonly tree: ItemTree;
}

const CACHED_ITEMS = 200;
const SAVE_INTERVAL_MS = 1000;

/** Watches a session while it is shown. Undefined until its cached copy has been read. */
export function useSessionHandle(session: string): SessionHandle | undefined {
  const { client, viewCache } = useAppContext();
  const [handle, setHandle] = useState<SessionHandle>();
  useEffect(() => {
    let cancelled = false;
    let watch: SessionWatch | undefined;
    const begin = async () => {
      const copy = await viewCache.session(session).catch(() => undefined);
      if (cancelled) return;
      watch = client.watchSession(session, copy);
      const { view } = watch;
      const keep = () => {
        const seen = copySession(view, CACHED_ITEMS);
        if (view.state === "gone") void viewCache.removeSession(session).catch(() => undefined);
        if (seen) void viewCache.saveSession(session, seen, Date.now()).catch(() => undefined);
      };
      watch.subscribe(throttle(SAVE_INTERVAL_MS, keep));
      setHandle({ watch, tree: new ItemTree(view) });
    };
    void begin();
    return () => {
      cancelled = true;
      watch?.close();
      setHandle(undefined);
    };
  }, [session, client, viewCache]);
  return handle;
}

export function useWatchValue<T>({ watch }: SessionHandle, look: () => T): T {
  const subscribe = useCallback((tell: () => void) => watch.subscribe(tell), [watch]);
  return useSyncExternalStore(subscribe, look);
}

export const useRows = (handle: SessionHandle) => useWatchValue(handle, () => handle.tree.rows);
export const useViewState = (handle: SessionHandle) =>
  useWatchValue(handle, () => handle.watch.view.state);
export const useCatchingUp = (handle: SessionHandle) =>
  useWatchValue(handle, () => handle.watch.view.catchingUp);
export const useHasOlder = (handle: SessionHandle) =>
  useWatchValue(handle, () => handle.watch.view.hasOlder);
export const useItem = (handle: SessionHandle, id: string): Item | undefined =>
  useWatchValue(handle, () => handle.watch.view.item(id));
/** Which of these items are already in the conversation. */
export function useKnownItems(handle: SessionHandle, ids: readonly string[]): ReadonlySet<string> {
  const standing = useWatchValue(handle, () =>
    ids.filter((id) => handle.watch.view.item(id)).join("\n"),
  );
  return new Set(standing.split("\n"));
}
export const useOutputCall = (handle: SessionHandle, taskId: string) =>
  useWatchValue(handle, () => handle.tree.findOutputCall(taskId));
export const useEndedTasks = (handle: SessionHandle) =>
  useWatchValue(handle, () => handle.tree.endedTasks());
export const useRunningSubagents = (handle: SessionHandle) =>
  useWatchValue(handle, () => handle.tree.runningSubagents());
export const useCallAsk = (handle: SessionHandle, callId: string) =>
  useWatchValue(handle, () => handle.tree.findAsk(callId));
export const useChildren = (handle: SessionHandle, callId: string) =>
  useWatchValue(handle, () => handle.tree.children(callId));
