import type { Session } from "@signalbox/client";
import { Link } from "../navigation/link.tsx";
import { AGENT_TERMINAL, terminalPath } from "../navigation/router.ts";
import { strings } from "../strings/strings.ts";

const text = strings.terminals;

/** Says in the chat that a dialog waits in the agent's own terminal, which only that shows. */
export function TerminalNotice({ session }: { session: Session }) {
  const { id, summary, openAsks } = session;
  if (summary.shown?.state !== "asking" || openAsks > 0) return null;
  return (
    <div className="banner" role="status" data-role="terminal-waits">
      <p className="min-w-0 grow">{text.waitsInTerminal}</p>
      <Link href={terminalPath(id, AGENT_TERMINAL)} className="button">
        {text.open}
      </Link>
    </div>
  );
}
