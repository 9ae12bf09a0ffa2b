import type { Session } from "@signalbox/client";
import type { FolderFinding, FolderTrust } from "@signalbox/api";
import { useCallback, useRef, useState } from "react";
import { AnswerButton } from "../guard/answer-button.tsx";
import { resetSettling } from "../guard/click-guard.ts";
import { ScrollBox, scrollToEnds } from "../ui/scroll-box.tsx";
import { inert } from "../text/visible.ts";
import { useMayDecide, useMayDrive, useReachable } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { FindingsList } from "./findings-list.tsx";
import { selectFindings, trustHeading } from "./trust-labels.ts";
import { useSessionTrust } from "./use-session-trust.ts";
import { strings } from "../strings/strings.ts";

const text = strings.trust;

/** Asks whether the code of a session's folder may run, and shows what it is. */
export function TrustNotice({ session }: { session: Session }) {
  const { state, folder, refresh } = useSessionTrust(session);
  const [opened, setOpened] = useState(false);
  const heading = state && trustHeading(state);
  if (!heading) return null;
  const isAsked = state === "off" || state === "changed";
  const shown = folder && selectFindings(state, folder.findings, folder.untrusted);
  return (
    <div className="asks-dock" role="region" aria-label={text.label}>
      <section className="ask-card" data-role="trust" data-state={state}>
        <header className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="min-w-0 font-semibold">{heading}</h3>
          <span className="text-small text-dim wrap-anywhere">{inert(session.folder)}</span>
        </header>
        {state === "restart" && <RestartButton session={session} />}
        {shown && shown.length > 0 && (isAsked || opened) ? (
          <TrustDecision
            key={folder.hash}
            session={session}
            folder={folder}
            findings={shown}
            onDecided={refresh}
          />
        ) : (
          state === "kept-off" && (
            <button
              type="button"
              className="button self-start"
              data-role="show-findings"
              onClick={() => setOpened(true)}
            >
              {text.show}
            </button>
          )
        )}
      </section>
    </div>
  );
}

interface DecisionProps {
  readonly session: Session;
  readonly folder: FolderTrust;
  readonly findings: readonly FolderFinding[];
  readonly onDecided: () => void;
}

function TrustDecision({ session, folder, findings, onDecided }: DecisionProps) {
  const { client, toasts } = useAppContext();
  const mayDecide = useMayDecide();
  const mayDrive = useMayDrive();
  const reachable = useReachable();
  const [busy, setBusy] = useState(false);
  const [hasSeenEnd, setSeenEnd] = useState(false);
  const onEnd = useCallback(() => setSeenEnd(true), []);
  const body = useRef<HTMLDivElement>(null);
  const isReadable = findings.every(({ kind }) => kind !== "unreadable");
  const { addDirs } = session.options;
  const about = { runner: folder.runner, folder: folder.folder, ...(addDirs && { addDirs }) };
  const decide = (work: () => Promise<unknown>) => {
    const carryOut = async () => {
      setBusy(true);
      resetSettling();
      try {
        await work();
      } catch (failure) {
        toasts.showError(text.couldNotSave, failure);
      } finally {
        setBusy(false);
        onDecided();
      }
    };
    void carryOut();
  };
  const disabled = busy || !reachable;
  return (
    <div ref={body} className="flex flex-col gap-2">
      <p className="text-small text-dim">{text.consequence}</p>
      <div className="ask-text">
        <ScrollBox label={text.findings} onEnd={onEnd}>
          <FindingsList findings={findings} />
        </ScrollBox>
      </div>
      {!isReadable && <p>{text.unreadable}</p>}
      {!mayDecide && <p>{text.approverOnly}</p>}
      <div className="flex flex-wrap gap-2">
        {mayDecide &&
          isReadable &&
          (hasSeenEnd ? (
            <AnswerButton
              key="trust"
              of={folder.hash}
              role="trust-folder"
              disabled={disabled}
              onPress={() => decide(() => client.grantTrust({ ...about, hash: folder.hash }))}
            >
              {text.trust}
            </AnswerButton>
          ) : (
            <button
              key="unseen"
              type="button"
              className="button"
              data-role="to-end"
              onClick={() => scrollToEnds(body.current)}
            >
              {text.scrollFirst}
            </button>
          ))}
        {mayDrive && session.trust?.state !== "kept-off" && (
          <AnswerButton
            of={folder.hash}
            role="keep-off"
            disabled={disabled}
            onPress={() => decide(() => client.revokeTrust(about))}
          >
            {text.keepOff}
          </AnswerButton>
        )}
      </div>
    </div>
  );
}

/** Restarts the agent, because a decision applies from the next run on. */
function RestartButton({ session }: { session: Session }) {
  const { client, toasts } = useAppContext();
  const mayDrive = useMayDrive();
  const [busy, setBusy] = useState(false);
  const isIdle = session.summary.status === "idle" && session.state === "running";
  if (!mayDrive || !isIdle) return null;
  const restart = async () => {
    setBusy(true);
    try {
      await client.stop(session.id);
      await client.wake(session.id);
    } catch (failure) {
      toasts.showError(text.couldNotRestart, failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <button
      type="button"
      className="button self-start"
      data-role="restart"
      disabled={busy}
      onClick={() => void restart()}
    >
      {text.restart}
    </button>
  );
}
