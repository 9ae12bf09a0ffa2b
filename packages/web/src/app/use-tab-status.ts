import type { AskView } from "@signalbox/api";
import { useEffect, useRef } from "react";
import { askSummary } from "../asks/ask-text.ts";
import { inert } from "../text/visible.ts";
import { currentLamp, mostUrgent } from "../store/lamp.ts";
import { preferences } from "../store/preferences.ts";
import { useAsks, useLive, useSessions, useWaiting } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { buildIcon, findNew, buildTitle } from "./tab-status.ts";
import { handleNotificationClicks, notify } from "./notify.ts";
import { type Route, sessionPath } from "../navigation/router.ts";

/** Shows waiting requests in the tab's title and icon, and as notifications while the page is hidden. */
export function useTabStatus(route: Route): void {
  const asks = useAsks();
  const sessions = useSessions();
  const live = useLive();
  const { count, told } = useWaiting();
  const session =
    route.page === "session" ? sessions.find(({ id }) => id === route.session) : undefined;
  const name = inert(session?.title ?? (route.page === "board" ? "" : route.page));
  const lamp = mostUrgent(
    sessions.filter(({ archived }) => !archived).map((one) => currentLamp(one, live).kind),
  );
  useEffect(() => {
    document.title = buildTitle(count, name, told);
  }, [count, name, told]);
  useEffect(() => {
    document
      .querySelector<HTMLLinkElement>("link[rel=icon]")
      ?.setAttribute("href", buildIcon(lamp, count));
  }, [lamp, count]);
  useNotifications(asks);
}

function useNotifications(asks: readonly AskView[]): void {
  const { board } = useAppContext();
  useEffect(handleNotificationClicks, []);
  const told = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const before = told.current;
    told.current = new Set(asks.map(({ id }) => id));
    if (!preferences.get().notify || document.visibilityState === "visible") return;
    for (const ask of findNew(before, asks)) {
      const title = inert(board.view.session(ask.session)?.title ?? "A session");
      void notify({
        title: `${title} waits for you`,
        body: inert(askSummary(ask)),
        tag: ask.id,
        path: sessionPath(ask.session),
      });
    }
  }, [asks, board]);
}
