import type { Session } from "@signalbox/client";
import { formatDollars } from "../text/format.ts";
import { PathText } from "../text/path-text.tsx";
import { inert } from "../text/visible.ts";
import { LampView } from "../ui/lamp-view.tsx";
import { MachineLabel } from "../ui/machine-label.tsx";
import { ElapsedTime } from "../ui/time.tsx";
import { unknownLamp } from "@signalbox/client";
import { currentLamp } from "../store/lamp.ts";
import { baseName } from "../text/path.ts";
import { useLive, useMayDrive, useSession } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { describeContext } from "../session-info/describe-context.ts";
import { SessionMark } from "../session-info/session-mark.tsx";
import { SessionMenu } from "../session-menu/session-menu.tsx";

interface Props {
  readonly id: string;
  readonly panels: boolean;
  readonly onPanels: () => void;
}

/** The header of a session: name, state and cost. */
export function SessionHead({ id, panels, onPanels }: Props) {
  const session = useSession(id);
  const live = useLive();
  if (!session) {
    return <header className="session-head">{!live && <LampView lamp={unknownLamp} />}</header>;
  }
  const { summary } = session;
  const title = inert(session.title);
  const context = describeContext(summary);
  return (
    <>
      <header className="session-head">
        <LampView lamp={currentLamp(session, live)} />
        <SessionMark colour={session.colour} />
        <h1 className="min-w-0 truncate font-semibold" title={title}>
          {title}
        </h1>
        <PathText
          path={baseName(session.folder)}
          whole={session.folder}
          className="max-w-48 shrink-0 font-mono text-small text-dim max-sm:hidden"
        />
        <MachineLabel runner={session.runner} />
        <span className="grow" />
        {session.archived && (
          <span className="shrink-0 rounded-box border border-line px-1.5 text-small text-dim">
            archived
          </span>
        )}
        {session.policy === "autonomous" && (
          <span className="shrink-0 rounded-box bg-failed px-1.5 text-small text-on-accent max-sm:hidden">
            asks for nothing
          </span>
        )}
        <span className="flex shrink-0 gap-3 font-mono text-small text-dim max-sm:hidden">
          {context && <span title={context.long}>{context.short}</span>}
          <span title="cost so far">{formatDollars(summary.costUsd)}</span>
        </span>
        <SessionMenu session={session} />
        <button
          type="button"
          className="button button-bare shrink-0 text-dim"
          aria-expanded={panels}
          onClick={onPanels}
        >
          {panels ? "Hide details" : "Details"}
        </button>
      </header>
      {session.policy === "autonomous" && (
        // The header of a phone has no room for this badge.
        <p className="bg-failed px-3 py-0.5 text-small text-on-accent sm:hidden">
          asks for nothing
        </p>
      )}
      <SessionProblem session={session} />
    </>
  );
}

/** Why the agent is not running or not responding, and what to do. */
function SessionProblem({ session }: { session: Session }) {
  const { client, toasts } = useAppContext();
  const mayDrive = useMayDrive();
  const { id, state, problem, silentSince, dialled } = session;
  if (problem !== undefined || state === "crashed" || state === "unreachable") {
    const again = () =>
      void client
        .retry(id)
        .catch((failure: unknown) => toasts.showError("It was not tried again", failure));
    return (
      <div
        className="flex flex-wrap items-center gap-2 border-b border-line bg-removed px-3 py-2"
        role="status"
      >
        <p className="min-w-0 grow">
          {problem ?? "The agent's process ended. Everything said so far is kept."}
        </p>
        {state === "crashed" && mayDrive && (
          <button type="button" className="button" onClick={again}>
            Try the last message again
          </button>
        )}
      </div>
    );
  }
  if (state === "running" && dialled?.connected === false) {
    return (
      <p className="border-b border-line bg-panel px-3 py-1 text-small text-dim" role="status">
        The agent dialled in, and its line has been broken for <ElapsedTime since={dialled.since} />
        . It may come back by itself; what you send or decide reaches it then.
      </p>
    );
  }
  if (silentSince === undefined) return null;
  return (
    <p className="border-b border-line bg-panel px-3 py-1 text-small text-dim" role="status">
      The agent has said nothing for <ElapsedTime since={silentSince} />. It may be waiting for the
      model; you can interrupt it.
    </p>
  );
}
