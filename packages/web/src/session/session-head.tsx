import type { Session } from "@signalbox/client";
import { Folder, GitBranch, GitFork, PanelRight, SquareTerminal } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { togglePanel } from "../frame/frame-state.ts";
import { HeaderStart } from "../frame/page-header.tsx";
import { useContextUse } from "../session-info/use-context-use.ts";
import { changeSession } from "../session-menu/change-session.ts";
import { SessionMenu } from "../session-menu/session-menu.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { currentLamp } from "../store/lamp.ts";
import { useBranch } from "../store/use-branch.ts";
import { useLive, useMayDrive, useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { formatDollars } from "../text/format.ts";
import { baseName } from "../text/path.ts";
import { spelled, inert } from "../text/visible.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { LampView } from "../ui/lamp-view.tsx";
import { MachineLabel } from "../ui/machine-label.tsx";
import { SwitchButton } from "../terminal/switch-button.tsx";
import { SessionProblem } from "./session-problem.tsx";
import { keyLabel } from "../keys/key-labels.ts";

const text = strings.session;

/** The header of a session: lamp, title, project, context and cost. */
export function SessionHead({ id, isPanelOpen }: { id: string; isPanelOpen: boolean }) {
  const session = useSession(id);
  const live = useLive();
  if (!session) {
    return (
      <header className="page-head">
        <HeaderStart backTo="/sessions" />
      </header>
    );
  }
  const { summary } = session;
  return (
    <>
      <header className="page-head">
        <HeaderStart backTo="/sessions" />
        <LampView lamp={currentLamp(session, live)} quiet />
        <div className="flex min-w-0 grow items-center gap-x-2.5 max-md:flex-col max-md:items-start">
          <SessionTitle session={session} />
          <PhoneFacts session={session} />
          <span
            className="chip max-w-52 shrink max-md:hidden"
            data-tip={spelled(session.folder)}
            data-role="project"
          >
            <Folder aria-hidden="true" />
            <span className="truncate">{spelled(baseName(session.folder))}</span>
          </span>
          <BranchChip session={session} />
          {session.forkOf !== undefined && <ForkChip original={session.forkOf} />}
          <MachineLabel runner={session.runner} />
          {session.transcript?.isImported && (
            <span className="chip shrink-0 max-md:hidden" data-role="imported">
              <SquareTerminal aria-hidden="true" />
              {strings.frame.fromClaudeCode}
            </span>
          )}
          {session.archived && <span className="chip shrink-0 max-md:hidden">{text.archived}</span>}
        </div>
        {session.policy === "autonomous" && (
          <span className="chip shrink-0 bg-failed text-on-failed" data-role="autonomous">
            {text.autonomous}
          </span>
        )}
        <ContextRing session={session} />
        {summary.costUsd > 0 && (
          <span className="chip shrink-0 max-md:hidden" data-tip={text.cost}>
            {formatDollars(summary.costUsd)}
          </span>
        )}
        <SwitchButton session={session} />
        <SessionMenu session={session} />
        <IconButton
          icon={PanelRight}
          label={isPanelOpen ? strings.frame.hidePanel : strings.frame.showPanel}
          keys={keyLabel("panel")}
          aria-expanded={isPanelOpen}
          data-role="panel-toggle"
          onClick={togglePanel}
        />
      </header>
      <SessionProblem session={session} />
    </>
  );
}

function BranchChip({ session }: { session: Session }) {
  const branch = useBranch(session);
  if (branch === undefined) return null;
  return (
    <span
      className="chip max-w-52 shrink max-md:hidden"
      data-tip={text.branch(spelled(branch))}
      data-role="branch"
    >
      <GitBranch aria-hidden="true" />
      <span className="truncate">{spelled(branch)}</span>
    </span>
  );
}

/** The second line on a phone: project, branch, context and cost. */
function PhoneFacts({ session }: { session: Session }) {
  const { summary, folder, forkOf, archived } = session;
  const percent = useContextUse(session)?.percent;
  const branch = useBranch(session);
  const facts = [
    ...(archived ? [text.archived] : []),
    ...(forkOf === undefined ? [] : [text.fork]),
    spelled(baseName(folder)),
    ...(branch === undefined ? [] : [spelled(branch)]),
    ...(percent === undefined ? [] : [`${percent}%`]),
    ...(summary.costUsd > 0 ? [formatDollars(summary.costUsd)] : []),
  ];
  return (
    <p className="max-w-full truncate text-small text-dim md:hidden" data-role="phone-facts">
      {facts.join(" · ")}
    </p>
  );
}

/** Leads to the session that this one is a fork of. */
function ForkChip({ original }: { original: string }) {
  const title = useSession(original)?.title;
  const label = title === undefined ? text.fork : text.forkOf(inert(title));
  const inside = (
    <>
      <GitFork aria-hidden="true" />
      <span className="truncate">{label}</span>
    </>
  );
  if (title === undefined) return <span className="chip shrink max-md:hidden">{inside}</span>;
  return (
    <Link
      href={sessionPath(original)}
      className="chip max-w-64 shrink max-md:hidden"
      data-tip={label}
      data-role="fork-of"
    >
      {inside}
    </Link>
  );
}

/** The title. A click makes it a field. */
function SessionTitle({ session }: { session: Session }) {
  const app = useAppContext();
  const [isEditing, setEditing] = useState(false);
  const mayDrive = useMayDrive();
  const title = inert(session.title);
  const finish = (value: string) => {
    setEditing(false);
    const wanted = value.trim();
    if (wanted !== "" && wanted !== session.title) {
      void changeSession(app, session, { title: wanted });
    }
  };
  if (isEditing) {
    return (
      <input
        className="field min-w-0 grow font-strong"
        aria-label={text.rename}
        defaultValue={session.title}
        maxLength={200}
        autoFocus
        onFocus={(event) => event.target.select()}
        onBlur={(event) => finish(event.target.value)}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter") finish(event.currentTarget.value);
          if (event.key === "Escape") setEditing(false);
        }}
      />
    );
  }
  return (
    <h1
      className="max-w-full min-w-0 truncate text-body font-strong tracking-tight"
      data-tip={title}
    >
      {mayDrive ? (
        <button
          type="button"
          className="title-button max-w-full truncate text-left"
          data-tip={text.rename}
          onClick={() => setEditing(true)}
        >
          {title}
        </button>
      ) : (
        title
      )}
    </h1>
  );
}

/** How full the model's context window is. */
function ContextRing({ session }: { session: Session }) {
  const context = useContextUse(session);
  if (context === undefined) return null;
  return (
    <span className="chip shrink-0 max-md:hidden" data-tip={context.long} data-role="context">
      {context.percent !== undefined && (
        <span
          className="context-ring"
          style={{ "--share": context.percent } as React.CSSProperties}
        />
      )}
      {context.percent === undefined ? context.short : `${context.percent}%`}
    </span>
  );
}
