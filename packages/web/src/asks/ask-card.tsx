import type { AskView } from "@signalbox/api";
import { type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from "react";
import { BlockedPath } from "../items/parts/blocked-path.tsx";
import { useSeconds } from "../store/clock.ts";
import { formatCountdown } from "../text/format.ts";
import { inert } from "../text/visible.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { ElapsedTime } from "../ui/time.tsx";
import { Lamp } from "../style/lamp.tsx";
import { useDevice, useMayDecide, useReachable, useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { describeAsker, askReason, askSummary, listFields, askHeading } from "./ask-text.ts";
import { FormAsk } from "./form-ask.tsx";
import { AnswerContext, useFocusAfterAnswer } from "./focus-after-answer.ts";
import { PermissionAsk } from "./permission-ask.tsx";
import { PlainFields, useFolds } from "./plain-fields.tsx";
import { PlanAsk } from "./plan-ask.tsx";
import { QuestionAsk } from "./question-ask.tsx";
import { describeOutcome } from "./outcome.ts";
import { useTypingIn } from "./use-typing-in.ts";

interface Props {
  readonly ask: AskView;
  /** Whether there is little room, as on a tile of the board. */
  readonly compact?: boolean;
  /** Whether the card shows a lamp. It needs none where the session's lamp is right above. */
  readonly lamp?: boolean;
  /** The session that asks, where the card does not stand in it: a line above the heading. */
  readonly source?: ReactNode;
  /** Whether an answered card keeps its height, so that nothing below moves under the pointer. */
  readonly still?: boolean;
}

const text = strings.asks;

/** A request of the agent and the controls to answer it. */
export function AskCard(props: Props) {
  const { ask, source, compact = false, lamp = !compact, still = false } = props;
  const card = useRef<HTMLElement>(null);
  const open = ask.status === "open";
  const { typingIn, typingHandlers } = useTypingIn();
  const onAnswer = useFocusAfterAnswer(card, open);
  const minHeight = useHeightWhile(card, open);
  const heading = inert(askHeading(ask));
  const Heading = compact ? "h3" : "h2"; // A tile is inside of a section that has a heading.
  const asker = describeAsker(ask);
  const reason = askReason(ask);
  // On a tile the command or the change itself says what is asked.
  const isPlain = compact && open && asker === undefined && /^(?:Bash|Edit)$/.test(ask.tool ?? "");
  return (
    <section
      ref={card}
      tabIndex={-1}
      {...typingHandlers}
      style={!open && still ? { minHeight } : undefined}
      className={compact ? "ask-card ask-tight" : "ask-card"}
      data-ask={ask.id}
      data-kind={ask.kind}
      data-status={ask.status}
      aria-label={inert(askSummary(ask))}
    >
      {source !== undefined && (
        <div className="flex items-center gap-2.5">
          {source}
          <span className="grow" />
          <AskTime ask={ask} compact={compact} />
        </div>
      )}
      <header className={isPlain ? "sr-only" : "flex flex-wrap items-center gap-x-2"}>
        <div className="flex min-w-0 items-center gap-x-2.5">
          {lamp && (
            <span aria-hidden="true">
              <Lamp state={ask.status === "open" ? "waiting" : "idle"} />
            </span>
          )}
          <Heading className="min-w-0 font-strong wrap-anywhere">{heading}</Heading>
        </div>
        {asker !== undefined && (
          <span className="min-w-0 text-small text-dim wrap-anywhere" data-role="asker">
            {inert(asker)}
          </span>
        )}
        {source === undefined && <AskTime ask={ask} compact={compact} />}
      </header>
      {reason !== undefined && (
        <p className="text-small text-dim whitespace-pre-line">{inert(reason)}</p>
      )}
      {ask.blockedPath !== undefined && <BlockedPath path={ask.blockedPath} />}
      <ErrorBoundary what={strings.parts.request}>
        <AnswerContext value={onAnswer}>
          {/* A form that is being typed in stays even when somebody else has answered. */}
          {(open || typingIn !== undefined) && <AskBody ask={ask} compact={compact} />}
        </AnswerContext>
      </ErrorBoundary>
    </section>
  );
}

/** How long a request has waited, or what became of it. */
function AskTime({ ask, compact }: { readonly ask: AskView; readonly compact: boolean }) {
  return (
    <span className="ms-auto shrink-0 text-small text-dim">
      {ask.status !== "open" ? (
        describeOutcome(ask)
      ) : compact ? null : (
        <>
          <span className="max-sm:sr-only">{text.waiting} </span>
          <ElapsedTime since={ask.openedAt} />
          <AskCountdown ask={ask} />
        </>
      )}
    </span>
  );
}

/** How long a request waits until it is denied, if it has a time limit. */
function AskCountdown({ ask: { openedAt, expiresAt, stopsAtExpiry } }: { readonly ask: AskView }) {
  const now = useSeconds();
  if (expiresAt === undefined) return null;
  // The clock ticks each second: a new request may be a little younger than it says.
  const left = formatCountdown(expiresAt - Math.max(now, openedAt));
  return (
    <span className="text-waiting" data-role="ask-countdown">
      {" · "}
      {stopsAtExpiry ? text.deniedAndStoppedIn(left) : text.deniedIn(left)}
    </span>
  );
}

function AskBody({ ask, compact }: { ask: AskView; compact: boolean }) {
  const { role } = useDevice();
  const mayAnswer = useMayDecide();
  const reachable = useReachable();
  if (!mayAnswer) return <ReadOnlyAsk ask={ask} compact={compact} role={role} />;
  return (
    <>
      {ask.status !== "open" ? (
        <p className="text-small text-dim" role="status">
          {text.answeredMeanwhile}
        </p>
      ) : !reachable ? (
        <p className="text-small text-dim" role="status">
          {text.hubUnreachable}
        </p>
      ) : null}
      <AnswerForm ask={ask} compact={compact} />
    </>
  );
}

/** The last height of an element while `holds` was true. */
function useHeightWhile(element: RefObject<HTMLElement | null>, holds: boolean) {
  const [height, setHeight] = useState<number>();
  useLayoutEffect(() => {
    const { current } = element;
    if (!holds || !current) return undefined;
    const observer = new ResizeObserver(() => setHeight(current.offsetHeight));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, holds]);
  return height;
}

/** The whole request, for a device that may not answer it. */
function ReadOnlyAsk({ ask, compact, role }: { ask: AskView; compact: boolean; role: string }) {
  const fields = useMemo(() => listFields(ask), [ask]);
  const folds = useFolds(fields, compact);
  const folder = useSession(ask.session)?.folder;
  return (
    <>
      <PlainFields fields={fields} folds={folds} folder={folder} />
      <p className="text-small text-dim">{text.readOnly(role)}</p>
    </>
  );
}

function AnswerForm({ ask, compact }: { ask: AskView; compact: boolean }) {
  switch (ask.kind) {
    case "permission":
      return <PermissionAsk ask={ask} compact={compact} />;
    case "question":
      return <QuestionAsk ask={ask} compact={compact} />;
    case "plan":
      return <PlanAsk ask={ask} compact={compact} />;
    case "elicitation":
    case "dialog":
      return <FormAsk ask={ask} compact={compact} />;
    default:
      return ask.kind satisfies never;
  }
}
