import type { TerminalView } from "@signalbox/api";
import { FileDiff, MessageSquare, Plus, SquareTerminal, Terminal, X } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { keyLabel } from "../keys/key-labels.ts";
import { Link } from "../navigation/link.tsx";
import { AGENT_TERMINAL, changesPath, sessionPath, terminalPath } from "../navigation/router.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useBoard, useMayDecide, useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { findTerminalAbility } from "./agent-terminal.ts";
import { closeShell, openShell, renameShell } from "./shell-actions.ts";

const text = strings.terminals;

interface Props {
  readonly session: string;
  readonly terminals: readonly TerminalView[];
  /** The terminal that is shown, if one is. */
  readonly shown: string | undefined;
  /** The view that is shown instead of the chat. */
  readonly view: "changes" | undefined;
}

/** The views of a session: its chat, the agent's own terminal, its changes and its shells. */
export function SessionTabs({ session, terminals, shown, view }: Props) {
  const app = useAppContext();
  const mayType = useMayDecide();
  const data = useSession(session);
  const runners = useBoard((board) => board.runners);
  const canHaveTerminal = data !== undefined && findTerminalAbility({ runners }, data).isPossible;
  const shells = terminals.filter(({ kind }) => kind === "shell");
  const isAgentShown =
    shown === AGENT_TERMINAL || terminals.some(({ id, kind }) => kind === "agent" && id === shown);
  return (
    <nav className="session-tabs" aria-label={text.views}>
      <Link
        href={sessionPath(session)}
        className="session-tab"
        aria-current={shown === undefined && view === undefined ? "page" : undefined}
        data-role="chat-tab"
      >
        <MessageSquare aria-hidden="true" />
        {text.chat}
      </Link>
      {canHaveTerminal && (
        <Link
          href={terminalPath(session, AGENT_TERMINAL)}
          className="session-tab"
          aria-current={isAgentShown ? "page" : undefined}
          data-role="terminal-tab"
        >
          <Terminal aria-hidden="true" />
          {text.terminal}
        </Link>
      )}
      <Link
        href={changesPath(session)}
        className="session-tab"
        aria-current={view === "changes" ? "page" : undefined}
        data-role="changes-tab"
      >
        <FileDiff aria-hidden="true" />
        {strings.changes.tab}
      </Link>
      {shells.map((terminal) => (
        <ShellTab
          key={terminal.id}
          terminal={terminal}
          isShown={terminal.id === shown}
          mayType={mayType}
        />
      ))}
      {mayType && (
        <IconButton
          icon={Plus}
          label={text.newShell}
          className="self-center"
          data-role="new-shell"
          onClick={() => void openShell(session, app)}
        />
      )}
    </nav>
  );
}

interface ShellTabProps {
  readonly terminal: TerminalView;
  readonly isShown: boolean;
  readonly mayType: boolean;
}

/** The tab of a shell. A double click renames it. */
function ShellTab({ terminal, isShown, mayType }: ShellTabProps) {
  const app = useAppContext();
  const [isRenaming, setRenaming] = useState(false);
  const name = inert(terminal.name);
  if (isRenaming) {
    return <NameField terminal={terminal} onDone={() => setRenaming(false)} />;
  }
  return (
    <span className="session-tab" data-terminal={terminal.id} data-shown={isShown}>
      <Link
        href={terminalPath(terminal.session, terminal.id)}
        className="session-tab-link"
        aria-current={isShown ? "page" : undefined}
        aria-keyshortcuts={isShown ? undefined : keyLabel("shell")}
        data-role="shell-tab"
        {...(mayType && { title: text.rename, onDoubleClick: () => setRenaming(true) })}
      >
        <SquareTerminal aria-hidden="true" />
        <span className="max-w-40 truncate">{name}</span>
      </Link>
      {mayType && (
        <IconButton
          icon={X}
          label={text.close(name)}
          className="session-tab-close"
          data-role="close-shell"
          onClick={() => void closeShell(terminal, app)}
        />
      )}
    </span>
  );
}

function NameField({ terminal, onDone }: { terminal: TerminalView; onDone: () => void }) {
  const app = useAppContext();
  const finish = (value: string) => {
    onDone();
    const name = value.trim();
    if (name !== "" && name !== terminal.name) void renameShell(terminal, name, app);
  };
  return (
    <input
      className="field w-36 self-center"
      aria-label={text.name}
      defaultValue={terminal.name}
      maxLength={100}
      autoFocus
      data-role="shell-name"
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") finish(event.currentTarget.value);
        if (event.key === "Escape") onDone();
      }}
    />
  );
}
