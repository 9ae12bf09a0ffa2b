import type { Session } from "@signalbox/client";
import type { AskView } from "@signalbox/api";
import { memo, useState } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { askSummary } from "../asks/ask-text.ts";
import { useTypingIn } from "../asks/use-typing-in.ts";
import { formatDollars, formatDateTime, formatRelativeTime } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { LampView, lampTextColors } from "../ui/lamp-view.tsx";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { ElapsedTime } from "../ui/time.tsx";
import { useSeconds } from "../store/clock.ts";
import { currentLamp } from "../store/lamp.ts";
import { useAsks, useBoard, useLive, useMayDecide } from "../store/use-hub.ts";
import { describeContext } from "../session-info/describe-context.ts";
import { driverName, describeDriver } from "../session-info/drivers.ts";
import { SessionMenu } from "../session-menu/session-menu.tsx";
import { describeActivity } from "./activity.ts";
import { countTodos } from "../session-info/todo-progress.ts";
import { isNarrowScreen } from "../browser/screen.ts";

/** A session on the board. Its requests can be answered right here. */
export const Tile = memo(function Tile({ session }: { session: Session }) {
  const live = useLive();
  const asks = useAsks().filter((ask) => ask.session === session.id);
  const lamp = currentLamp({ ...session, openAsks: Math.max(session.openAsks, asks.length) }, live);
  const { typingIn, typingHandlers } = useTypingIn();
  const closed = useBoard((view) => view.closedAsks);
  // An ask that was answered elsewhere stays while the person is still typing in it.
  const ask = closed.find(({ id }) => id === typingIn) ?? asks[0];
  const now = useSeconds(session.summary.retry !== undefined);
  const doing = describeActivity(session, now);
  const title = inert(session.title);
  const urgent = lamp.kind === "waiting" || lamp.kind === "failed";
  return (
    <article
      className={`tile ${lamp.kind === "waiting" ? "tile-waiting" : ""}`}
      data-session={session.id}
      data-colour={session.colour}
      data-asks=""
      {...typingHandlers}
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
        <span className={`shrink-0 ${urgent ? lampTextColors[lamp.kind] : "text-dim"}`}>
          {lamp.word}
          {!ask && !live && session.openAsks > 0 && (
            <span className="text-waiting"> · waited for you</span>
          )}
          {ask?.status === "open" && lamp.kind === "waiting" && (
            <>
              {" "}
              <ElapsedTime since={ask.openedAt} />
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
      <TileStats session={session} />
      {ask && <TileAsk ask={ask} more={asks.filter(({ id }) => id !== ask.id).length} />}
    </article>
  );
});

/** The session's request. On a narrow screen with several requests it is behind a button. */
function TileAsk({ ask, more }: { ask: AskView; more: number }) {
  const crowded = useAsks().length > 1 && isNarrowScreen();
  const mayDecide = useMayDecide();
  const [open, setOpen] = useState(false);
  if (crowded && !open) {
    return (
      <button
        type="button"
        className="button relative z-1 self-start"
        onClick={() => setOpen(true)}
      >
        {inert(askSummary(ask))}: {mayDecide ? "answer…" : "look…"}
      </button>
    );
  }
  return (
    <div className="relative z-1 mt-1">
      <AskCard key={ask.id} ask={ask} compact />
      {more > 0 && <p className="mt-1 text-small text-dim">and {more} more after this one</p>}
    </div>
  );
}

function TileStats({ session }: { session: Session }) {
  const { summary, queue, changedAt } = session;
  const { done, all } = countTodos(summary.todos);
  const context = describeContext(summary);
  const now = useSeconds();
  return (
    <div className="flex items-center gap-3 font-mono text-small text-dim">
      {all > 0 && (
        <span className="flex items-center gap-1.5" title={`${done} of ${all} tasks done`}>
          <ProgressBar part={done / all} />
          {done}/{all}
        </span>
      )}
      {session.driver !== "stdio" && (
        <span title={describeDriver(session)}>{driverName(session)}</span>
      )}
      {queue.length > 0 && <span title="messages that wait">{queue.length} queued</span>}
      <span className="grow" />
      {context && <span title={context.long}>{context.share}</span>}
      {summary.costUsd > 0 && <span title="cost so far">{formatDollars(summary.costUsd)}</span>}
      <time dateTime={new Date(changedAt).toISOString()} title={formatDateTime(changedAt)}>
        {formatRelativeTime(changedAt, now)}
      </time>
    </div>
  );
}

function ProgressBar({ part }: { part: number }) {
  return (
    <svg viewBox="0 0 40 4" className="h-1 w-10" aria-hidden="true">
      <rect width="40" height="4" rx="1" className="fill-line" />
      <rect width={40 * Math.min(1, Math.max(0, part))} height="4" rx="1" className="fill-dim" />
    </svg>
  );
}
