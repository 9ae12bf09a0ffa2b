import type { AskView } from "@signalbox/api";
import { useRef, useState } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { visibleAsks } from "../asks/visible-asks.ts";
import { useHover } from "../asks/use-hover.ts";
import { useSettled } from "../guard/use-settled.ts";
import { useTypingIn } from "../asks/use-typing-in.ts";
import { Elevations } from "../asks/elevations.tsx";
import { Search } from "lucide-react";
import { openPalette } from "../navigation/overlays.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { PageHeader } from "../frame/page-header.tsx";
import { strings } from "../strings/strings.ts";
import { inert, spelled } from "../text/visible.ts";
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
import { SinceYouLeft } from "./since-you-left.tsx";
import { LastKnownAsks } from "./last-known.tsx";
import { useInboxKeys } from "./inbox-keys.ts";

const text = strings.inbox;

/** All open requests, the oldest first, answered in place. */
export function Inbox() {
  const open = useAsks();
  const closed = useBoard((view) => view.closedAsks);
  const now = useSeconds();
  const mayDecide = useMayDecide();
  const { isConfirmed } = useWaiting();
  const away = useLink().kind === "offline";
  const list = useRef<HTMLOListElement>(null);
  const { hoveredSince, hoverHandlers } = useHover();
  const { typingHandlers, ...typing } = useTypingIn();
  const asks = visibleAsks(open, closed, now, {
    ...(hoveredSince !== undefined && { hoveredSince }),
    ...typing,
  });
  const isEmpty = isConfirmed && asks.length === 0;
  // After an answer no other entry becomes current by itself, so that a key never hits one that nobody chose.
  const [current, setCurrent] = useState<string>();
  useInboxKeys({ list, asks, current, choose: setCurrent });
  return (
    <div className="contents" data-asks="">
      <PageHeader title={text.title} look="column">
        <IconButton
          icon={Search}
          label={strings.frame.search}
          className="md:hidden"
          data-role="commands"
          onClick={openPalette}
        />
      </PageHeader>
      <div className="page-body page-body-column">
        <div className="mx-auto flex max-w-[calc(var(--container-reading)+48px)] flex-col gap-4 px-6 py-6 max-md:px-3.5 max-md:py-4">
          <p
            className={
              isEmpty
                ? "pt-[10vh] text-center text-title font-semibold tracking-tight"
                : `text-control text-dim ${asks.length > 0 ? "max-md:sr-only" : ""}`
            }
            role="status"
          >
            {!isConfirmed
              ? away
                ? text.offline
                : text.loading
              : open.length === 0
                ? text.empty
                : text.open(open.length)}
          </p>
          <Elevations />
          {!isConfirmed && <LastKnownAsks />}
          {isEmpty && (
            <p className="mx-auto -mt-2 mb-6 max-w-120 text-center text-dim">{text.emptyHint}</p>
          )}
          <ol
            ref={list}
            {...hoverHandlers}
            {...typingHandlers}
            className="inbox-list flex flex-col gap-4"
          >
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
          <SinceYouLeft />
          {open.length > 0 && mayDecide && (
            <p className="text-small text-dim max-md:hidden">
              <span className="kbd">J</span> <span className="kbd">K</span> {text.move} ·{" "}
              <span className="kbd">A</span> {text.allow} · <span className="kbd">D</span>{" "}
              {text.deny} · <span className="kbd">E</span> {text.edit} ·{" "}
              <span className="kbd">O</span> {text.openSession}
            </p>
          )}
        </div>
      </div>
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
      <ErrorBoundary what={strings.parts.request}>
        <AskCard
          ask={ask}
          lamp={false}
          still={still}
          source={<AskSession session={ask.session} />}
        />
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
    <div className="flex min-w-0 items-center gap-2.5">
      <LampView lamp={currentLamp(session, live)} quiet />
      <span className="flex min-w-0 items-center gap-1.5 text-small text-dim">
        <span className="max-w-28 shrink-0 truncate" data-tip={spelled(session.folder)}>
          {spelled(baseName(session.folder))}
        </span>
        <span aria-hidden="true">·</span>
        <Link
          href={sessionPath(id)}
          className="min-w-0 truncate text-ink pointer-coarse:-my-3 pointer-coarse:py-3.5"
          data-role="open"
        >
          {inert(session.title)}
        </Link>
      </span>
      <MachineLabel runner={session.runner} />
    </div>
  );
}
