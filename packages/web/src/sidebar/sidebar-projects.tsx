import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { openNewSession } from "../navigation/overlays.ts";
import { groupSessions, type ProjectGroup } from "../session-info/group-sessions.ts";
import { useBranch } from "../store/use-branch.ts";
import { useMayDrive, useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { abbreviateHome } from "../text/path.ts";
import { spelled } from "../text/visible.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { MachineLabel } from "../ui/machine-label.tsx";
import { SidebarSession } from "./sidebar-session.tsx";

/** How many sessions of a project are listed before the rest is folded. */
const SHOWN_SESSIONS = 8;

/** All projects with their sessions. */
export function SidebarProjects({ current }: { current: string | undefined }) {
  const sessions = useSessions();
  const groups = useMemo(() => groupSessions(sessions, { text: "", archived: false }), [sessions]);
  if (groups.length === 0) {
    return <p className="px-2 py-3 text-small text-faint">{strings.frame.noSessions}</p>;
  }
  return groups.map((group) => <SidebarProject key={group.key} group={group} current={current} />);
}

function SidebarProject({ group, current }: { group: ProjectGroup; current: string | undefined }) {
  const { runner, folder, sessions } = group;
  const [isUnfolded, setUnfolded] = useState(false);
  const mayDrive = useMayDrive();
  const branch = useBranch(group);
  const name = spelled(group.name);
  const shown = isUnfolded
    ? sessions
    : sessions.filter(({ id }, index) => index < SHOWN_SESSIONS || id === current);
  const folded = sessions.length - SHOWN_SESSIONS;
  return (
    <section className="group" aria-label={name}>
      <div className="flex items-center gap-1.5 px-2 pt-3.5 pb-1">
        <h2
          className="min-w-0 truncate text-control font-strong"
          data-tip={spelled(abbreviateHome(folder))}
        >
          {name}
        </h2>
        {branch !== undefined && (
          <span
            className="min-w-0 truncate text-small text-faint"
            data-tip={strings.session.branch(spelled(branch))}
            data-role="branch"
          >
            {spelled(branch)}
          </span>
        )}
        <MachineLabel runner={runner} />
        <span className="grow" />
        {mayDrive && (
          <IconButton
            icon={Plus}
            label={strings.frame.newSessionIn(name)}
            className="-my-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
            onClick={() => openNewSession({ folder, runner })}
          />
        )}
      </div>
      <ul>
        {shown.map((session) => (
          <ErrorBoundary key={session.id} what={strings.parts.session}>
            <SidebarSession session={session} isCurrent={session.id === current} />
          </ErrorBoundary>
        ))}
      </ul>
      {folded > 0 && (
        <button
          type="button"
          className="quiet-button mx-2"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? strings.frame.showLess : strings.frame.showMore(folded)}
        </button>
      )}
    </section>
  );
}
