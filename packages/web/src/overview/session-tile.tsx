import type { Session } from "@signalbox/client";
import type { AskView } from "@signalbox/api";
import { memo, useRef, useState } from "react";
import { AskCard } from "../asks/ask-card.tsx";
import { askSummary, readInput } from "../asks/ask-text.ts";
import { getPlanText } from "../asks/plan-text.ts";
import { plainExcerpt } from "../text/plain-excerpt.ts";
import { parseQuestions } from "../asks/questions.ts";
import { useTypingIn } from "../asks/use-typing-in.ts";
import { formatDollars, formatDateTime } from "../text/format.ts";
import { formatAge } from "../text/format-age.ts";
import { baseName } from "../text/path.ts";
import { inert, spelled } from "../text/visible.ts";
import { ImportedMark } from "../ui/imported-mark.tsx";
import { LampView } from "../ui/lamp-view.tsx";
import { MachineLabel } from "../ui/machine-label.tsx";
import { strings } from "../strings/strings.ts";
import { useAppContext } from "../store/app-context.tsx";
import { GitBranch, Pin } from "lucide-react";
import { useFocusAfterRemoval } from "../navigation/focus-after-removal.ts";
import { Link } from "../navigation/link.tsx";
import { sessionPath } from "../navigation/router.ts";
import { useSeconds } from "../store/clock.ts";
import { currentLamp, lampWord } from "../store/lamp.ts";
import { useAsks, useBoard, useLive, useMayDecide, useMayDrive } from "../store/use-hub.ts";
import { useBranch } from "../store/use-branch.ts";
import { useContextUse } from "../session-info/use-context-use.ts";
import { driverName, describeDriver } from "../session-info/drivers.ts";
import { SessionMenu } from "../session-menu/session-menu.tsx";
import { describeActivity } from "../session-info/describe-activity.ts";
import { countTodos } from "../session-info/todo-progress.ts";
import { isNarrowScreen } from "../browser/screen.ts";

/** A session on the overview. Its requests can be answered right here. */
export const SessionTile = memo(function SessionTile({ session }: { session: Session }) {
  const live = useLive();
  const asks = useAsks().filter((ask) => ask.session === session.id);
  const lamp = currentLamp({ ...session, openAsks: Math.max(session.openAsks, asks.length) }, live);
  const { typingIn, typingHandlers } = useTypingIn();
  const closed = useBoard((view) => view.closedAsks);
  // An ask that was answered elsewhere stays while the person is still typing in it.
  const ask = closed.find(({ id }) => id === typingIn) ?? asks[0];
  const now = useSeconds(session.summary.retry !== undefined);
  const doing = describeActivity(session, now);
  // A session at rest says what it answered, a working one what it wrote before the current step.
  const excerpt = plainExcerpt(session.summary.lastText ?? "");
  const isAtRest = (lamp.kind === "idle" && doing === "") || lamp.kind === "parked";
  const about = isAtRest && excerpt !== "" ? inert(excerpt) : doing;
  // Without a connection the requests themselves are not known, only that there were some.
  const neededYou = !live && session.openAsks > 0;
  const title = inert(session.title);
  const mayDrive = useMayDrive();
  const { client, toasts } = useAppContext();
  const tile = useRef<HTMLElement>(null);
  useFocusAfterRemoval(tile, {
    links: ".tile-link",
    own: `[data-session="${session.id}"] .tile-link`,
  });
  return (
    <article
      ref={tile}
      className={`tile ${lamp.kind === "waiting" ? "tile-waiting" : ""}`}
      data-session={session.id}
      data-asks=""
      {...typingHandlers}
    >
      <div className="flex items-center gap-2.5">
        <LampView lamp={lamp} quiet />
        <Link
          href={sessionPath(session.id)}
          className="tile-link min-w-0 grow truncate font-strong"
          data-tip={title}
          data-home=""
        >
          {title}
        </Link>
        {session.pinned && (
          <Pin aria-label={strings.frame.pinned} className="shrink-0 text-faint" />
        )}
        <span className="tile-end">
          <SessionAge ask={ask} session={session} />
          <span className="tile-menu relative z-1">
            <SessionMenu session={session} />
          </span>
        </span>
      </div>
      {!ask && (
        <p
          className={`line-clamp-3 text-control wrap-anywhere ${lamp.kind === "failed" ? "text-failed" : "text-dim"}`}
          data-tip={about}
        >
          {neededYou ? (
            <span className="text-waiting">{text.neededYou}</span>
          ) : about === "" ? (
            <span className="text-faint">{lampWord(lamp)}</span>
          ) : (
            about
          )}
        </p>
      )}
      {!ask && lamp.kind === "working" && excerpt !== "" && excerpt !== doing && (
        <p className="line-clamp-2 text-control text-faint wrap-anywhere">{inert(excerpt)}</p>
      )}
      {ask && (
        <TileAsk session={session} ask={ask} more={asks.filter(({ id }) => id !== ask.id).length} />
      )}
      {lamp.kind === "failed" && mayDrive && (
        <button
          type="button"
          className="button button-small relative z-1 self-start"
          onClick={() =>
            void client
              .retry(session.id)
              .catch((failure: unknown) => toasts.showError(strings.session.couldNotRetry, failure))
          }
        >
          {text.retry}
        </button>
      )}
      <TileStats session={session} />
    </article>
  );
});

const text = strings.overview;

/** The session's request. Permissions are answered right away; plans and questions open in place first. */
function TileAsk({ session, ask, more }: { session: Session; ask: AskView; more: number }) {
  const crowded = useAsks().length > 1 && isNarrowScreen();
  const mayDecide = useMayDecide();
  const [isOpen, setOpen] = useState(false);
  const isFolded = !isOpen && ask.status === "open" && (crowded || ask.kind !== "permission");
  return (
    <div className="relative z-1 flex flex-col gap-2">
      {isFolded ? (
        <>
          <p
            className={`line-clamp-3 text-control text-dim wrap-anywhere ${ask.kind === "permission" ? "as-it-runs" : ""}`}
          >
            {inert(askExcerpt(ask, session.folder))}
          </p>
          <button
            type="button"
            className="button button-solid button-small self-start"
            data-role="open-ask"
            onClick={() => setOpen(true)}
          >
            {!mayDecide ? text.view : ask.kind === "plan" ? strings.asks.reviewPlan : text.answer}
          </button>
        </>
      ) : (
        <AskCard key={ask.id} ask={ask} compact />
      )}
      {more > 0 && <p className="text-small text-dim">{text.moreRequests(more)}</p>}
    </div>
  );
}

/** The first lines of what is asked: the plan, the question, or the call. */
function askExcerpt(ask: AskView, folder: string): string {
  if (ask.kind === "plan") return plainExcerpt(getPlanText(readInput(ask)));
  if (ask.kind === "question") {
    const questions = parseQuestions(ask.input).map(({ question }) => question);
    return questions.length > 0 ? questions.join(" · ") : askSummary(ask);
  }
  return askSummary(ask, folder);
}

/** How long a request has been open, or when the session changed last. */
function SessionAge({ ask, session }: { ask: AskView | undefined; session: Session }) {
  const since = ask?.status === "open" ? ask.openedAt : session.changedAt;
  return (
    <time
      className="tile-age text-small text-faint"
      dateTime={new Date(since).toISOString()}
      data-tip={formatDateTime(since)}
    >
      {formatAge(since, useSeconds())}
    </time>
  );
}

function TileStats({ session }: { session: Session }) {
  const { summary, queue } = session;
  const { done, all } = countTodos(summary.todos);
  const context = useContextUse(session);
  const branch = useBranch(session);
  return (
    <div className="mt-auto flex items-center gap-2 text-small text-faint">
      <span className="min-w-0 truncate" data-tip={spelled(session.folder)}>
        {spelled(baseName(session.folder))}
      </span>
      {branch !== undefined && (
        <span
          className="flex min-w-0 items-center gap-1"
          data-tip={strings.session.branch(spelled(branch))}
          data-role="branch"
        >
          <GitBranch aria-hidden="true" className="size-3! shrink-0" />
          <span className="truncate">{spelled(branch)}</span>
        </span>
      )}
      <MachineLabel runner={session.runner} />
      {session.transcript?.isImported && <ImportedMark />}
      {all > 0 && (
        <span className="flex items-center gap-1.5" data-tip={text.tasksDone(done, all)}>
          <ProgressBar part={done / all} />
          {done}/{all}
        </span>
      )}
      {session.driver !== "stdio" && (
        <span data-tip={describeDriver(session)}>{driverName(session)}</span>
      )}
      {queue.length > 0 && <span className="truncate">{text.queued(queue.length)}</span>}
      <span className="grow" />
      <span className="shrink-0">
        {context && (
          <span data-tip={context.long}>
            {context.percent === undefined ? context.short : `${context.percent}%`}
          </span>
        )}
        {context && summary.costUsd > 0 && " · "}
        {summary.costUsd > 0 && (
          <span data-tip={strings.session.cost}>{formatDollars(summary.costUsd)}</span>
        )}
      </span>
    </div>
  );
}

function ProgressBar({ part }: { part: number }) {
  return (
    <svg viewBox="0 0 40 4" className="h-1 w-10" aria-hidden="true">
      <rect width="40" height="4" rx="1" className="fill-line" />
      <rect width={40 * Math.min(1, Math.max(0, part))} height="4" rx="1" className="fill-dim" />
    </svg>
  );
}
