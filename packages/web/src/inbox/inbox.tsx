import type { AskView } from "@signalbox/api";
import { useRef, useState } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { visibleAsks } from "../asks/visible-asks.ts";
import { useHover } from "../asks/use-hover.ts";
import { useSettled } from "../guard/use-settled.ts";
import { useTypingIn } from "../asks/use-typing-in.ts";
import { Elevations } from "../asks/elevations.tsx";
import { PathText } from "../text/path-text.tsx";
import { inert } from "../text/visible.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { LampView } from "../ui/lamp-view.tsx";
import { MachineLabel } from "../ui/machine-label.tsx";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { useSeconds } from "../store/clock.ts";
import { currentLamp } from "../store/lamp.ts";
import { baseName } from "../text/path.ts";
import {
  useAsks,
  useBoard,
  useLink,
  useLive,
  useMayDecide,
  useSession,
  useWaiting,
} from "../store/use-hub.ts";
import { LastKnownAsks } from "./last-known.tsx";
import { useInboxKeys } from "./inbox-keys.ts";

/** All open requests, the oldest first, answered in place. */
export function Inbox() {
  const open = useAsks();
  const closed = useBoard((view) => view.closedAsks);
  const now = useSeconds();
  const mayDecide = useMayDecide();
  const { told } = useWaiting();
  const away = useLink().kind === "offline";
  const list = useRef<HTMLOListElement>(null);
  const { hoveredSince, hoverHandlers } = useHover();
  const { typingHandlers, ...typing } = useTypingIn();
  const asks = visibleAsks(open, closed, now, {
    ...(hoveredSince !== undefined && { hoveredSince }),
    ...typing,
  });
  // After an answer no other entry becomes current by itself, so that a key never hits one that nobody chose.
  const [current, setCurrent] = useState<string>();
  useInboxKeys({ list, asks, current, choose: setCurrent });
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-3 p-3 sm:p-4" data-asks="">
      <h1 className="text-title font-semibold" tabIndex={-1} data-home="">
        {!told
          ? away
            ? "What waits is not known: offline"
            : "Asking what waits…"
          : open.length === 0
            ? "Nothing waits for you"
            : `${open.length} waiting${mayDecide ? " for you" : ""}`}
      </h1>
      <Elevations />
      {!told && <LastKnownAsks />}
      {told && asks.length === 0 && (
        <p className="text-dim">
          When an agent needs a permission, has a question or a plan, it stands here, the oldest
          first. You can leave this page open: its title and its icon tell when something comes.
        </p>
      )}
      <ol ref={list} {...hoverHandlers} {...typingHandlers} className="flex flex-col gap-4">
        {asks.map((ask) => (
          <Entry
            key={ask.id}
            ask={ask}
            current={ask.id === current && ask.status === "open"}
            still={hoveredSince !== undefined && (ask.answeredAt ?? 0) >= hoveredSince}
            choose={setCurrent}
          />
        ))}
      </ol>
      {open.length > 0 && mayDecide && (
        <p className="text-small text-dim max-sm:hidden">
          <span className="kbd">j</span> <span className="kbd">k</span> move ·{" "}
          <span className="kbd">a</span> allow · <span className="kbd">d</span> deny with words ·{" "}
          <span className="kbd">e</span> edit · <span className="kbd">o</span> open the session
        </p>
      )}
    </div>
  );
}

interface EntryProps {
  readonly ask: AskView;
  readonly current: boolean;
  /** Whether the entry keeps its height when it is answered. */
  readonly still: boolean;
  readonly choose: (id: string) => void;
}

function Entry({ ask, current, still, choose }: EntryProps) {
  const { ref, settled } = useSettled<HTMLLIElement>(current ? "current" : "other", false);
  return (
    <li
      ref={ref}
      data-entry={ask.id}
      aria-current={current}
      data-ready={current && settled}
      onFocus={() => ask.status === "open" && choose(ask.id)}
      className={`rounded-box ${current ? "outline-2 outline-offset-4 outline-accent" : ""}`}
    >
      <AskSession session={ask.session} />
      <ErrorBoundary what="This request">
        <AskCard ask={ask} lamp={false} still={still} />
      </ErrorBoundary>
    </li>
  );
}

/** The session that asks. */
function AskSession({ session: id }: { session: string }) {
  const session = useSession(id);
  const live = useLive();
  if (!session) return null;
  return (
    <div className="mb-1 flex items-center gap-2">
      <LampView lamp={currentLamp(session, live)} quiet />
      <Link
        href={sessionPath(id)}
        className="min-w-0 truncate font-semibold pointer-coarse:py-3"
        data-role="open"
      >
        {inert(session.title)}
      </Link>
      <PathText
        path={baseName(session.folder)}
        whole={session.folder}
        className="font-mono text-small text-dim"
      />
      <MachineLabel runner={session.runner} />
    </div>
  );
}
