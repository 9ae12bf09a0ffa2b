import type { Session } from "@signalbox/client";
import { MessageSquare, Terminal } from "lucide-react";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { strings } from "../strings/strings.ts";
import { baseName } from "../text/path.ts";
import { inert, spelled } from "../text/visible.ts";
import { RelativeTime } from "../ui/time.tsx";

const MOST = 5;

interface Props {
  readonly folder: string;
  readonly runner: string | undefined;
  readonly sessions: readonly Session[];
}

/** Sessions of the same project, to continue one of them instead. */
export function ProjectSessions({ folder, runner, sessions }: Props) {
  const found = sessions
    .filter(
      (session) =>
        session.folder === folder &&
        !session.archived &&
        session.runner === (runner ?? session.runner),
    )
    .toSorted((a, b) => b.changedAt - a.changedAt);
  if (found.length === 0) return null;
  const title = strings.newSession.continueIn(spelled(baseName(folder)));
  return (
    <section className="mt-5" aria-label={title}>
      <h3 className="mb-1 px-1 text-control font-strong">{title}</h3>
      <ul>
        {found.slice(0, MOST).map((session) => (
          <li key={session.id}>
            <Link href={sessionPath(session.id)} className="nav-row text-ink">
              {session.transcript?.isImported ? (
                <Terminal aria-hidden="true" className="text-dim" />
              ) : (
                <MessageSquare aria-hidden="true" className="text-dim" />
              )}
              <span className="min-w-0 grow truncate">{inert(session.title)}</span>
              <span className="text-small text-faint">
                {session.transcript?.isImported && `${strings.newSession.fromClaudeCode} · `}
                <RelativeTime at={session.changedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
