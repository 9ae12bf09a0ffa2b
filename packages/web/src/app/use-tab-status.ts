import type { AskView } from "@signalbox/api";
import { type LampKind, type Session, sessionLamp } from "@signalbox/client";
import { useEffect, useRef } from "react";
import { askSummary } from "../asks/ask-text.ts";
import { isOutOfSight } from "../session-info/group-sessions.ts";
import { inert } from "../text/visible.ts";
import { currentLamp, mostUrgent } from "../store/lamp.ts";
import { type NotificationKind, preferences } from "../store/preferences.ts";
import { strings } from "../strings/strings.ts";
import { useAsks, useLive, useSessions, useWaiting } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { buildIcon, buildTitle, findNew, findTurnEnd, isNotified } from "./tab-status.ts";
import { handleNotificationClicks, notify } from "../navigation/notify.ts";
import { type PageRoute, sessionPath } from "../navigation/router.ts";

const text = strings.notices;

/** Shows waiting requests in the tab's title and icon, and as notifications while the page is hidden. */
export function useTabStatus(route: PageRoute): void {
  const asks = useAsks();
  const sessions = useSessions();
  const live = useLive();
  const { count, isConfirmed } = useWaiting();
  const session =
    route.page === "session" ? sessions.find(({ id }) => id === route.session) : undefined;
  const name = inert(session?.title ?? (route.page === "board" ? "" : route.page));
  const lamp = mostUrgent(
    sessions.filter((one) => !isOutOfSight(one)).map((one) => currentLamp(one, live).kind),
  );
  useEffect(() => {
    document.title = buildTitle(count, name, isConfirmed);
  }, [count, name, isConfirmed]);
  useEffect(() => {
    document
      .querySelector<HTMLLinkElement>("link[rel=icon]")
      ?.setAttribute("href", buildIcon(lamp, count));
  }, [lamp, count]);
  useNotifications(asks, sessions);
}

function useNotifications(asks: readonly AskView[], sessions: readonly Session[]): void {
  const { board } = useAppContext();
  useEffect(handleNotificationClicks, []);
  const knownAsks = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const before = knownAsks.current;
    knownAsks.current = new Set(asks.map(({ id }) => id));
    for (const ask of findNew(before, asks)) {
      const session = board.view.session(ask.session);
      if (!mustNotify("needsYou", session?.folder)) continue;
      void notify({
        title: text.needsYou(inert(session?.title ?? text.session)),
        body: inert(askSummary(ask)),
        tag: ask.id,
        path: sessionPath(ask.session),
      });
    }
  }, [asks, board]);
  const knownLamps = useRef<ReadonlyMap<string, LampKind>>(undefined);
  useEffect(() => {
    const before = knownLamps.current;
    const now = sessions.map((session) => ({ session, lamp: sessionLamp(session).kind }));
    knownLamps.current = new Map(now.map(({ session, lamp }) => [session.id, lamp]));
    for (const { session, lamp } of now) {
      const ended = findTurnEnd(before?.get(session.id), lamp);
      if (ended === undefined || !mustNotify(ended, session.folder)) continue;
      const name = inert(session.title);
      void notify({
        title: ended === "failed" ? text.failed(name) : text.finished(name),
        body: "",
        tag: `${session.id} ${ended}`,
        path: sessionPath(session.id),
      });
    }
  }, [sessions]);
}

/** Whether the person wants this notification, and does not see the page anyway. */
function mustNotify(kind: NotificationKind, folder: string | undefined): boolean {
  return document.visibilityState !== "visible" && isNotified(preferences.get(), kind, folder);
}
