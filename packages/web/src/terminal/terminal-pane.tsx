import "@xterm/xterm/css/xterm.css"; // oxlint-disable-line no-unassigned-import -- its style sheet comes with this view
import type { TerminalView } from "@signalbox/api";
import { sessionLamp } from "@signalbox/client";
import { ArrowDown, Scaling, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { isTouchOnly } from "../browser/screen.ts";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDecide, useReachable, useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { LampView } from "../ui/lamp-view.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { isOpenedHere } from "./shell-actions.ts";
import { TerminalFind } from "./terminal-find.tsx";
import { type FoundMatches, TerminalScreen } from "./terminal-screen.ts";
import { TouchKeys } from "./touch-keys.tsx";
import type { GridSize } from "./terminal-size.ts";

const text = strings.terminals;

interface Props {
  readonly session: string;
  readonly terminal: TerminalView;
}

/** A terminal of a session with its status line. */
export default function TerminalPane({ session, terminal }: Props) {
  const { client } = useAppContext();
  const runner = useSession(session)?.runner;
  const mayType = useMayDecide();
  const box = useRef<HTMLDivElement>(null);
  const screen = useRef<TerminalScreen>(undefined);
  const [size, setSize] = useState<GridSize>(terminal);
  const [matches, setMatches] = useState<FoundMatches>({ at: 0, count: 0 });
  const [isFinding, setFinding] = useState(false);
  const [isAtEnd, setAtEnd] = useState(true);
  const { id } = terminal;
  const label = text.region(inert(terminal.name));
  const firstLabel = useRef(label);
  useEffect(() => {
    if (!box.current || runner === undefined) return undefined;
    const shown = new TerminalScreen({
      box: box.current,
      mayType,
      isNew: isOpenedHere(id),
      label: firstLabel.current,
      watch: (viewer) => client.watchTerminal(id, runner, viewer),
      onSize: setSize,
      onGone: () => {}, // The board says so as well, and this view is replaced.
      onFind: () => setFinding(true),
      onMatches: setMatches,
      onScroll: setAtEnd,
    });
    screen.current = shown;
    if (mayType && !isTouchOnly()) shown.focus();
    return () => {
      screen.current = undefined;
      shown[Symbol.dispose]();
    };
  }, [client, id, runner, mayType]);
  const closeFind = () => {
    setFinding(false);
    screen.current?.endFind();
    screen.current?.focus();
  };
  return (
    <section className="terminal-pane" aria-label={label} data-role="terminal">
      <div className="terminal-area">
        <div ref={box} className="terminal-box" />
        {isFinding && (
          <TerminalFind
            matches={matches}
            onFind={(query, direction) => screen.current?.find(query, direction)}
            onClose={closeFind}
          />
        )}
        {!isAtEnd && (
          <button
            type="button"
            className="button terminal-to-end"
            onClick={() => screen.current?.scrollToEnd()}
          >
            <ArrowDown aria-hidden="true" />
            {text.toBottom}
          </button>
        )}
      </div>
      {mayType && isTouchOnly() && <TouchKeys screen={() => screen.current} />}
      <footer className="terminal-status">
        <span className="min-w-0 grow truncate" role="status">
          <TerminalState terminal={terminal} mayType={mayType} />
        </span>
        <span className="shrink-0" data-tip={text.sizeTitle} data-role="terminal-size">
          {text.size(size.cols, size.rows)}
        </span>
        {mayType && (
          <IconButton
            icon={Scaling}
            label={text.fit}
            data-role="fit-terminal"
            onClick={() => screen.current?.claimSize()}
          />
        )}
        <IconButton icon={Search} label={text.find} onClick={() => setFinding(true)} />
        <Link href={sessionPath(session)} className="button button-ghost button-small">
          {text.backToChat}
        </Link>
      </footer>
    </section>
  );
}

function TerminalState({ terminal, mayType }: { terminal: TerminalView; mayType: boolean }) {
  const isReachable = useReachable();
  const session = useSession(terminal.session);
  const { end, kind } = terminal;
  if (end?.signal) return text.killed(end.signal);
  if (end) return end.exitCode === null ? text.ended : text.exited(end.exitCode);
  if (kind === "agent" && session && sessionLamp(session).kind === "waiting") {
    return (
      <span className="flex items-center gap-2">
        <LampView lamp={sessionLamp(session)} quiet />
        {session.openAsks > 0 ? text.answerAnywhere : text.waitsHere}
      </span>
    );
  }
  if (!mayType) return text.watchOnly;
  return isReachable ? null : text.offline;
}
