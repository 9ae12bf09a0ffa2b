import { formatCount } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { RelativeTime } from "../ui/time.tsx";
import { toHubTime } from "../store/clock.ts";
import { useLink, useSessions } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { strings } from "../strings/strings.ts";

const text = strings.inbox;

/** The sessions that had open requests when the hub was last reachable. */
export function LastKnownAsks() {
  const { lastLive } = useAppContext();
  const away = useLink().kind === "offline";
  const sessions = useSessions().filter(({ archived, openAsks }) => !archived && openAsks > 0);
  return (
    <div className="flex flex-col gap-2" data-role="seen-last">
      <p className="text-dim">
        {away ? text.hubUnreachable : text.hubConnecting}
        {lastLive !== undefined && (
          <>
            {" "}
            {text.lastConnected} <RelativeTime at={toHubTime(lastLive)} />
            {". "}
            {sessions.length === 0 ? text.nothingNeededYou : text.neededYou}
          </>
        )}
      </p>
      <ul>
        {sessions.map(({ id, title, openAsks }) => (
          <li key={id} className="flex gap-2">
            <Link href={sessionPath(id)} className="min-w-0 truncate pointer-coarse:py-3">
              {inert(title)}
            </Link>
            <span className="shrink-0 text-small text-dim">{formatCount(openAsks, "request")}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
