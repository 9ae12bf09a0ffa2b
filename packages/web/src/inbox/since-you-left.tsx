import type { Session } from "@signalbox/client";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { describeActivity } from "../session-info/describe-activity.ts";
import { useAppContext } from "../store/app-context.tsx";
import { toHubTime, useSeconds } from "../store/clock.ts";
import { currentLamp } from "../store/lamp.ts";
import { useSignal } from "../store/signal.ts";
import { useLive, useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { formatAge } from "../text/format-age.ts";
import { plainExcerpt } from "../text/plain-excerpt.ts";
import { inert } from "../text/visible.ts";
import { LampView } from "../ui/lamp-view.tsx";
import { hiddenSince } from "../store/hidden-since.ts";

const text = strings.inbox;
const MAX_SESSIONS = 20;

/** The sessions that finished or failed while nobody looked at the page, the newest first. */
export function SinceYouLeft() {
  const { lastLive } = useAppContext();
  const live = useLive();
  const leftAt = useSignal(hiddenSince) ?? lastLive;
  const sessions = useSessions();
  if (leftAt === undefined || !live) return null;
  const since = toHubTime(leftAt);
  const ended = sessions
    .filter((session) => hasEnded(session) && session.changedAt > since)
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .slice(0, MAX_SESSIONS);
  if (ended.length === 0) return null;
  return (
    <section aria-labelledby="since-you-left" data-role="since-you-left">
      <h2 id="since-you-left" className="pb-1 text-control font-strong">
        {text.sinceYouLeft}
      </h2>
      <ul>
        {ended.map((session) => (
          <EndedSession key={session.id} session={session} />
        ))}
      </ul>
    </section>
  );
}

function hasEnded(session: Session): boolean {
  const { archived, openAsks, summary, state } = session;
  if (archived || openAsks > 0 || summary.turns === 0) return false;
  return state === "crashed" || summary.status === "idle";
}

function EndedSession({ session }: { session: Session }) {
  const now = useSeconds();
  const lamp = currentLamp(session, useLive());
  const problem = lamp.kind === "failed" ? describeActivity(session, now) : "";
  const excerpt = inert(plainExcerpt(session.summary.lastText ?? ""));
  return (
    <li className="session-row ended-row">
      <LampView lamp={lamp} quiet />
      <Link href={sessionPath(session.id)} className="session-row-link session-row-title truncate">
        {inert(session.title)}
      </Link>
      <time
        className="session-row-end text-small text-faint"
        dateTime={new Date(session.changedAt).toISOString()}
      >
        {formatAge(session.changedAt, now)}
      </time>
      <span className="col-start-2 col-end-4 truncate text-small text-faint">
        {problem !== "" ? problem : excerpt === "" ? text.finished : text.finishedWith(excerpt)}
      </span>
    </li>
  );
}
