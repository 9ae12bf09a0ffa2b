import { copySession, type Item, type SessionWatch } from "@signalbox/client";
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { Conversation } from "./item-tree.ts";
import { everyWhile } from "./throttle.ts";
import { useWorld } from "./app-context.tsx";

export interface Talk {
  readonly watch: SessionWatch;
  readonly conversation: Conversation;
}

const KEPT_ITEMS = 200;
const KEEP_MS = 1000;

/** A session's conversation for as long as it is looked at; undefined until its copy has been read. */
export function useTalk(session: string): Talk | undefined {
  const { client, copies } = useWorld();
  const [talk, setTalk] = useState<Talk>();
  useEffect(() => {
    let left = false;
    let watch: SessionWatch | undefined;
    const begin = async () => {
      const copy = await copies.session(session).catch(() => undefined);
      if (left) return;
      watch = client.watchSession(session, copy);
      const { view } = watch;
      const keep = () => {
        const seen = copySession(view, KEPT_ITEMS);
        if (view.state === "gone") void copies.dropSession(session).catch(() => undefined);
        if (seen) void copies.keepSession(session, seen, Date.now()).catch(() => undefined);
      };
      watch.subscribe(everyWhile(KEEP_MS, keep));
      setTalk({ watch, conversation: new Conversation(view) });
    };
    void begin();
    return () => {
      left = true;
      watch?.close();
      setTalk(undefined);
    };
  }, [session, client, copies]);
  return talk;
}

function useWatched<T>({ watch }: Talk, look: () => T): T {
  const subscribe = useCallback((tell: () => void) => watch.subscribe(tell), [watch]);
  return useSyncExternalStore(subscribe, look);
}

export const useRows = (talk: Talk) => useWatched(talk, () => talk.conversation.rows);
export const useTalkState = (talk: Talk) => useWatched(talk, () => talk.watch.view.state);
export const useCatchingUp = (talk: Talk) => useWatched(talk, () => talk.watch.view.catchingUp);
export const useOlder = (talk: Talk) => useWatched(talk, () => talk.watch.view.older);
export const useItem = (talk: Talk, id: string): Item | undefined =>
  useWatched(talk, () => talk.watch.view.item(id));
/** Which of these stand in the conversation already. */
export function useStanding(talk: Talk, ids: readonly string[]): ReadonlySet<string> {
  const standing = useWatched(talk, () => ids.filter((id) => talk.watch.view.item(id)).join("\n"));
  return new Set(standing.split("\n"));
}
export const usePrintsOf = (talk: Talk, taskId: string) =>
  useWatched(talk, () => talk.conversation.printsOf(taskId));
export const useEndedTasks = (talk: Talk) => useWatched(talk, () => talk.conversation.endedTasks());
export const useChildren = (talk: Talk, callId: string) =>
  useWatched(talk, () => talk.conversation.children(callId));
