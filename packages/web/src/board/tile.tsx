import type { Session } from "@signalbox/client";
import type { AskView } from "@signalbox/api";
import { memo, useState } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { askLine } from "../asks/ask-text.ts";
import { useWritten } from "../asks/use-typing-in.ts";
import { dollars, moment, relative } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { LampView, tones } from "../ui/lamp-view.tsx";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { Lasting } from "../ui/time.tsx";
import { useSeconds } from "../store/clock.ts";
import { currentLamp } from "../store/lamp.ts";
import { useAsks, useBoard, useLive, useMayDecide } from "../store/use-hub.ts";
import { contextWords } from "../session-info/context-words.ts";
import { driverName, driverWords } from "../session-info/driver-words.ts";
import { SessionMenu } from "../session-menu/session-menu.tsx";
import { doingOf } from "./activity.ts";
import { countTodos } from "../session-info/todo-progress.ts";

/** One session at a glance; what it asks can be answered right here. */
export const Tile = memo(function Tile({ session }: { session: Session }) {
  const live = useLive();
  const asks = useAsks().filter((ask) => ask.session === session.id);
  const lamp = currentLamp({ ...session, openAsks: Math.max(session.openAsks, asks.length) }, live);
  const { written, writing } = useWritten();
  const closed = useBoard((view) => view.closedAsks);
  // One that was answered elsewhere stays for as long as somebody writes in it.
  const ask = closed.find(({ id }) => id === written) ?? asks[0];
  const now = useSeconds(session.summary.retry !== undefined);
  const doing = doingOf(session, now);
  const title = inert(session.title);
  const urgent = lamp.kind === "waiting" || lamp.kind === "failed";
  return (
    <article
      className={`tile ${lamp.kind === "waiting" ? "tile-waiting" : ""}`}
      data-session={session.id}
      data-colour={session.colour}
      data-asks=""
      {...writing}
    >
      <div className="flex items-center gap-2">
        <LampView lamp={lamp} quiet />
        <Link
          href={sessionPath(session.id)}
          className="tile-link min-w-0 grow truncate font-semibold"
          title={title}
          data-home=""
        >
          {title}
        </Link>
        {session.pinned && (
          <span className="text-small text-dim" title="pinned">
            pinned
          </span>
        )}
        <SessionMenu session={session} />
      </div>
      <div className="flex items-baseline gap-2 text-small">
        <span className={`shrink-0 ${urgent ? tones[lamp.kind] : "text-dim"}`}>
          {lamp.word}
          {!ask && !live && session.openAsks > 0 && (
            <span className="text-waiting"> · waited for you</span>
          )}
          {ask?.status === "open" && lamp.kind === "waiting" && (
            <>
              {" "}
              <Lasting since={ask.openedAt} />
            </>
          )}
        </span>
        <span
          className={`min-w-0 grow font-mono text-dim ${lamp.kind === "failed" ? "line-clamp-2 wrap-anywhere" : "truncate"}`}
          title={doing}
        >
          {doing}
        </span>
      </div>
      <TileFigures session={session} />
      {ask && <TileAsk ask={ask} more={asks.filter(({ id }) => id !== ask.id).length} />}
    </article>
  );
});

const NARROW = "(width < 640px)";

/** What is asked, answered right here; where room is scarce and several wait, behind a button. */
function TileAsk({ ask, more }: { ask: AskView; more: number }) {
  const crowded = useAsks().length > 1 && matchMedia(NARROW).matches;
  const mayDecide = useMayDecide();
  const [open, setOpen] = useState(false);
  if (crowded && !open) {
    return (
      <button
        type="button"
        className="button relative z-1 self-start"
        onClick={() => setOpen(true)}
      >
        {inert(askLine(ask))}: {mayDecide ? "answer…" : "look…"}
      </button>
    );
  }
  return (
    <div className="relative z-1 mt-1">
      <AskCard key={ask.id} ask={ask} tight />
      {more > 0 && <p className="mt-1 text-small text-dim">and {more} more after this one</p>}
    </div>
  );
}

function TileFigures({ session }: { session: Session }) {
  const { summary, queue, changedAt } = session;
  const { done, all } = countTodos(summary.todos);
  const context = contextWords(summary);
  const now = useSeconds();
  return (
    <div className="flex items-center gap-3 font-mono text-small text-dim">
      {all > 0 && (
        <span className="flex items-center gap-1.5" title={`${done} of ${all} tasks done`}>
          <Bar part={done / all} />
          {done}/{all}
        </span>
      )}
      {session.driver !== "stdio" && (
        <span title={driverWords(session)}>{driverName(session)}</span>
      )}
      {queue.length > 0 && <span title="messages that wait">{queue.length} queued</span>}
      <span className="grow" />
      {context && <span title={context.long}>{context.share}</span>}
      {summary.costUsd > 0 && <span title="cost so far">{dollars(summary.costUsd)}</span>}
      <time dateTime={new Date(changedAt).toISOString()} title={moment(changedAt)}>
        {relative(changedAt, now)}
      </time>
    </div>
  );
}

export function Bar({ part }: { part: number }) {
  return (
    <svg viewBox="0 0 40 4" className="h-1 w-10" aria-hidden="true">
      <rect width="40" height="4" rx="1" className="fill-line" />
      <rect width={40 * Math.min(1, Math.max(0, part))} height="4" rx="1" className="fill-dim" />
    </svg>
  );
}
