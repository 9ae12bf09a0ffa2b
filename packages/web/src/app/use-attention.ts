import type { AskView } from "@signalbox/api";
import { useEffect, useRef } from "react";
import { askLine } from "../asks/ask-text.ts";
import { inert } from "../text/visible.ts";
import { currentLamp, mostUrgent } from "../store/lamp.ts";
import { preferences } from "../store/preferences.ts";
import { useAsks, useLive, useSessions, useWaiting } from "../store/use-hub.ts";
import { useWorld } from "../store/app-context.tsx";
import { iconOf, newcomers, titleOf } from "./attention.ts";
import { followNotifications, notify } from "./notify.ts";
import { type Place, sessionPath } from "../navigation/router.ts";

/** Title, icon and notification tell when something waits, also from behind other windows. */
export function useAttention(place: Place): void {
  const asks = useAsks();
  const sessions = useSessions();
  const live = useLive();
  const { count, told } = useWaiting();
  const session =
    place.at === "session" ? sessions.find(({ id }) => id === place.session) : undefined;
  const name = inert(session?.title ?? (place.at === "board" ? "" : place.at));
  const lamp = mostUrgent(
    sessions.filter(({ archived }) => !archived).map((one) => currentLamp(one, live).kind),
  );
  useEffect(() => {
    document.title = titleOf(count, name, told);
  }, [count, name, told]);
  useEffect(() => {
    document
      .querySelector<HTMLLinkElement>("link[rel=icon]")
      ?.setAttribute("href", iconOf(lamp, count));
  }, [lamp, count]);
  useNotifications(asks);
}

function useNotifications(asks: readonly AskView[]): void {
  const { board } = useWorld();
  useEffect(followNotifications, []);
  const told = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const before = told.current;
    told.current = new Set(asks.map(({ id }) => id));
    if (!preferences.get().notify || document.visibilityState === "visible") return;
    for (const ask of newcomers(before, asks)) {
      const title = inert(board.view.session(ask.session)?.title ?? "A session");
      void notify({
        title: `${title} waits for you`,
        body: inert(askLine(ask)),
        tag: ask.id,
        path: sessionPath(ask.session),
      });
    }
  }, [asks, board]);
}
