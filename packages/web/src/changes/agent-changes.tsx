import type { Session } from "@signalbox/client";
import { go, sessionPath } from "../navigation/router.ts";
import type { SessionHandle } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { AgentFiles } from "./agent-files.tsx";

interface Props {
  readonly session: Session;
  readonly handle: SessionHandle | undefined;
  /** Why Git has no changes to show. */
  readonly why: string;
}

/** Without Git: the files that the agent's file tools have changed. */
export function AgentChanges({ session, handle, why }: Props) {
  return (
    <div className="min-h-0 grow overflow-y-auto p-6" data-role="agent-changes">
      <div className="mx-auto max-w-reading">
        <p className="mb-3 text-dim">{strings.changes.noGit(inert(why))}</p>
        <AgentFiles session={session} handle={handle} onLeave={() => go(sessionPath(session.id))} />
      </div>
    </div>
  );
}
