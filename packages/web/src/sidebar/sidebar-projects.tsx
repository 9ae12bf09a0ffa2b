import { Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { openNewSession } from "../navigation/overlays.ts";
import { groupSessions, type ProjectGroup } from "../session-info/group-sessions.ts";
import { isOldProject, listFirstSessions } from "../session-info/fold-sessions.ts";
import { useSeconds } from "../store/clock.ts";
import { useBranch } from "../store/use-branch.ts";
import { useMayDrive, useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { abbreviateHome } from "../text/path.ts";
import { spelled } from "../text/visible.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { MachineLabel } from "../ui/machine-label.tsx";
import { SidebarSession } from "./sidebar-session.tsx";
import { useOlderSessions } from "./use-older-sessions.ts";

/** All projects with their sessions. Those that have nothing but old sessions of Claude Code are folded. */
export function SidebarProjects({ current }: { current: string | undefined }) {
  const sessions = useSessions();
  const [isUnfolded, setUnfolded] = useState(false);
  const groups = useMemo(() => groupSessions(sessions, { text: "", archived: false }), [sessions]);
  const now = useSeconds(false);
  if (groups.length === 0) {
    return <p className="px-2 py-3 text-small text-faint">{strings.frame.noSessions}</p>;
  }
  const isShown = (group: ProjectGroup) =>
    !isOldProject(group, now) || group.sessions.some(({ id }) => id === current);
  const shown = groups.filter(isShown);
  // If there is nothing else, old projects are better than none.
  const first = shown.length > 0 ? shown : groups.slice(0, MIN_PROJECTS);
  const folded = groups.filter((group) => !first.includes(group));
  const listed = isUnfolded ? [...first, ...folded] : first;
  return (
    <>
      {listed.map((group) => (
        <SidebarProject key={group.key} group={group} current={current} />
      ))}
      {folded.length > 0 && (
        <button
          type="button"
          className="quiet-button mx-2 mt-3"
          data-role="more-projects"
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {isUnfolded ? strings.frame.showLess : strings.frame.moreProjects(folded.length)}
        </button>
      )}
    </>
  );
}

const MIN_PROJECTS = 5;

function SidebarProject({ group, current }: { group: ProjectGroup; current: string | undefined }) {
  const { runner, folder, sessions } = group;
  const [isUnfolded, setUnfolded] = useState(false);
  const mayDrive = useMayDrive();
  const branch = useBranch(group);
  const older = useOlderSessions(group);
  const name = spelled(group.name);
  const first = listFirstSessions(group, current);
  const known = new Set(sessions.map(({ id }) => id));
  const shown = isUnfolded
    ? [...sessions, ...older.sessions.filter(({ id }) => !known.has(id))]
    : first;
  const folded = sessions.length + older.count - first.length;
  const unfold = () => {
    setUnfolded(!isUnfolded);
    if (!isUnfolded) older.load();
  };
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
          data-role="more-sessions"
          onClick={unfold}
        >
          {isUnfolded ? strings.frame.showLess : strings.frame.showMore(folded)}
        </button>
      )}
    </section>
  );
}
