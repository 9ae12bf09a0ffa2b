import type { Session } from "@signalbox/client";
import { Archive, ChevronDown, Ellipsis, Funnel, Plug, Plus, Search } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { Elevations } from "../asks/elevations.tsx";
import { useTypingIn } from "../asks/use-typing-in.ts";
import { PageHeader } from "../frame/page-header.tsx";
import { openConnect, openNewSession, openPalette } from "../navigation/overlays.ts";
import { groupSessions, type ProjectGroup, isOutOfSight } from "../session-info/group-sessions.ts";
import { currentLamp } from "../store/lamp.ts";
import { useAsks, useBoard, useLive, useMayDrive, useSessions } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { spelled } from "../text/visible.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { MenuButton } from "../ui/menu-button.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { FoundRelays } from "./found-relays.tsx";
import { SessionTile } from "./session-tile.tsx";
import { keyLabel } from "../keys/key-labels.ts";

const text = strings.overview;

/** Every session at a glance: what needs you first, then what is working, then the rest by time. */
export function Overview() {
  const sessions = useSessions();
  const state = useBoard((view) => view.state);
  const [typed, setTyped] = useState("");
  const [project, setProject] = useState<string>();
  const [isArchive, setArchive] = useState(false);
  const wanted = useDeferredValue(typed);
  const projects = useMemo(
    () => groupSessions(sessions, { text: "", archived: isArchive }),
    [sessions, isArchive],
  );
  const shown = useMemo(() => {
    const groups = groupSessions(sessions, { text: wanted, archived: isArchive });
    const inside = project === undefined ? groups : groups.filter(({ key }) => key === project);
    return inside.flatMap((group) => group.sessions);
  }, [sessions, wanted, isArchive, project]);
  const mayDrive = useMayDrive();
  const archivedCount = sessions.filter(isOutOfSight).length;
  return (
    <>
      <PageHeader title={text.title} look="large">
        <IconButton
          icon={Search}
          label={strings.frame.search}
          className="md:hidden"
          onClick={openPalette}
        />
        {sessions.length > 0 && (
          <input
            type="search"
            className="field w-44 min-w-0 max-md:hidden"
            placeholder={text.filter}
            aria-label={text.filter}
            data-role="filter"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        {projects.length > 1 && (
          <ProjectFilter projects={projects} value={project} onChange={setProject} />
        )}
        {(archivedCount > 0 || isArchive || (mayDrive && sessions.length > 0)) && (
          <MoreMenu
            isArchive={isArchive}
            archivedCount={archivedCount}
            onArchive={setArchive}
            mayConnect={mayDrive}
          />
        )}
        {mayDrive && sessions.length > 0 && (
          <button
            type="button"
            className="button button-solid max-md:hidden"
            onClick={() => openNewSession()}
          >
            <Plus aria-hidden="true" />
            {strings.frame.newSession}
          </button>
        )}
      </PageHeader>
      <div className="page-body">
        {state === "loading" ? (
          <LoadingMessage text={text.loading} />
        ) : (
          <div className="flex flex-col gap-8 px-8 py-6 max-md:gap-6 max-md:px-3.5 max-md:py-4">
            <Elevations />
            {mayDrive && <FoundRelays />}
            <Sections sessions={shown} isArchive={isArchive} />
            {shown.length === 0 &&
              (sessions.length > 0 ? (
                <p className="text-dim">{text.noMatches(typed)}</p>
              ) : mayDrive ? (
                <FirstSession />
              ) : (
                <p className="mx-auto mt-[12vh] max-w-reading text-center text-dim">
                  {text.emptyViewer}
                </p>
              ))}
          </div>
        )}
      </div>
    </>
  );
}

function Sections({ sessions, isArchive }: { sessions: readonly Session[]; isArchive: boolean }) {
  const live = useLive();
  const asks = useAsks();
  const closed = useBoard((view) => view.closedAsks);
  const { typingIn, typingHandlers } = useTypingIn();
  // A tile stays where it is while a person types in it, even when somebody else has answered.
  const needing = [...asks, ...closed.filter(({ id }) => id === typingIn)];
  const asking = new Set(needing.map(({ session }) => session));
  const bySection = Map.groupBy(sessions, (session) => {
    if (asking.has(session.id)) return "needsYou";
    const { kind } = currentLamp(session, live);
    return kind === "waiting" ? "needsYou" : kind === "working" ? "working" : "recent";
  });
  const recent = bySection.get("recent")?.toSorted((a, b) => b.changedAt - a.changedAt);
  return (
    <div className="contents" {...typingHandlers}>
      <Section title={text.needsYou} sessions={bySection.get("needsYou")} isCounted />
      <Section title={text.working} sessions={bySection.get("working")} />
      <Section title={isArchive ? text.archive : text.recent} sessions={recent} />
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly sessions: readonly Session[] | undefined;
  readonly isCounted?: boolean;
}

/** How many tiles of a section are drawn at first, and with each press on its button. */
const TILES_PER_STEP = 36;

function Section({ title, sessions = [], isCounted = false }: SectionProps) {
  const [limit, setLimit] = useState(TILES_PER_STEP);
  if (sessions.length === 0) return null;
  const hidden = sessions.length - limit;
  return (
    <section aria-label={title}>
      <h2 className="mb-3 flex items-center gap-2 text-control font-strong">
        {title}
        {isCounted && <span className="count-badge">{sessions.length}</span>}
      </h2>
      <div className="tiles">
        {sessions.slice(0, limit).map((session) => (
          <ErrorBoundary key={session.id} what={strings.parts.session}>
            <SessionTile session={session} />
          </ErrorBoundary>
        ))}
      </div>
      {hidden > 0 && (
        <button
          type="button"
          className="button mt-3"
          data-role="more-tiles"
          onClick={() => setLimit(limit + TILES_PER_STEP)}
        >
          {strings.frame.showMore(hidden)}
        </button>
      )}
    </section>
  );
}

interface FilterProps {
  readonly projects: readonly ProjectGroup[];
  readonly value: string | undefined;
  readonly onChange: (key: string | undefined) => void;
}

function ProjectFilter({ projects, value, onChange }: FilterProps) {
  const chosen = projects.find(({ key }) => key === value);
  const entries = [
    { key: "", content: text.allProjects },
    ...projects.map(({ key, name }) => ({
      key,
      content: <span className="truncate">{spelled(name)}</span>,
    })),
  ];
  return (
    <MenuButton
      className="button max-w-48 max-md:max-w-36 max-md:border-transparent max-md:text-dim"
      data-role="project-filter"
      menu={{
        label: text.allProjects,
        align: "end",
        value: value ?? "",
        entries,
        onSelect: (key) => onChange(key === "" ? undefined : key),
      }}
    >
      <Funnel aria-hidden="true" />
      <span className={`truncate ${chosen ? "" : "max-md:sr-only"}`}>
        {chosen ? spelled(chosen.name) : text.allProjects}
      </span>
      <ChevronDown aria-hidden="true" className={chosen ? "" : "max-md:hidden"} />
    </MenuButton>
  );
}

interface MoreProps {
  readonly isArchive: boolean;
  readonly archivedCount: number;
  readonly onArchive: (isArchive: boolean) => void;
  readonly mayConnect: boolean;
}

/** What is needed now and then: archived sessions, and agents that run elsewhere. */
function MoreMenu({ isArchive, archivedCount, onArchive, mayConnect }: MoreProps) {
  const archive = {
    key: "archive",
    content: (
      <>
        <Archive aria-hidden="true" />
        {isArchive ? text.hideArchived : text.showArchived(archivedCount)}
      </>
    ),
  };
  const connect = {
    key: "connect",
    role: "connect-open",
    content: (
      <>
        <Plug aria-hidden="true" />
        {text.connect}
      </>
    ),
  };
  return (
    <MenuButton
      className="button button-ghost button-icon"
      aria-label={text.more}
      data-tip={text.more}
      data-role="overview-more"
      menu={{
        label: text.more,
        align: "end",
        entries: [
          ...(archivedCount > 0 || isArchive ? [archive] : []),
          ...(mayConnect ? [connect] : []),
        ],
        onSelect: (key) => (key === "connect" ? openConnect() : onArchive(!isArchive)),
      }}
    >
      <Ellipsis aria-hidden="true" />
    </MenuButton>
  );
}

function FirstSession() {
  return (
    <div className="mx-auto mt-[12vh] max-w-120 text-center">
      <h2 className="text-title font-semibold tracking-tight">{text.emptyTitle}</h2>
      <p className="mt-2 text-dim">{text.emptyText}</p>
      <div className="mt-5 flex justify-center gap-2">
        <button type="button" className="button button-solid" onClick={() => openNewSession()}>
          {strings.frame.newSession} <span className="kbd">{keyLabel("new-session")}</span>
        </button>
        <button type="button" className="button" data-role="connect-open" onClick={openConnect}>
          <Plug aria-hidden="true" />
          {text.connect}
        </button>
      </div>
    </div>
  );
}
