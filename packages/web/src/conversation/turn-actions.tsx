import { isBusy } from "@signalbox/client";
import { Copy, GitFork, History, RotateCcw } from "lucide-react";
import { useState } from "react";
import { openRewind } from "../navigation/overlays.ts";
import { strings } from "../strings/strings.ts";
import { useAppContext } from "../store/app-context.tsx";
import { type SessionHandle, useWatchValue } from "../store/use-session-handle.ts";
import { useMayDrive, useSession } from "../store/use-hub.ts";
import { type DisplayItemOfKind, isCut } from "../text/body.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { forkPoint, forkSession, getUuid, isRewindPoint } from "./item-actions.ts";

const text = strings.conversation;

interface Props {
  readonly session: string;
  readonly handle: SessionHandle;
  readonly item: DisplayItemOfKind<"turn-end">;
}

/** Copies the answer of a turn, forks the session after it, or restores the files as they were then. */
export function TurnActions({ session, handle, item }: Props) {
  const app = useAppContext();
  const mayDrive = useMayDrive();
  const answer = useWatchValue(handle, () => handle.tree.findAnswer(item.id));
  /** The files are stored with the message after the turn; after the last one they are as they are. */
  const next = useWatchValue(handle, () => handle.tree.findNextPrompt(item.id));
  const point = forkPoint(item);
  const isLast = useWatchValue(handle, () => isLastTurn(handle, item.id));
  const isBusySession = useIsBusy(session);
  const canRetry =
    mayDrive && isLast && !isBusySession && (item.status === "error" || item.status === "crashed");
  const copy = async () => {
    if (answer === undefined) return;
    const parts = await Promise.all(
      answer.map(async (part) => (isCut(part) ? (await app.client.blob(part.$blob)).text() : part)),
    );
    await navigator.clipboard.writeText(parts.join("\n\n"));
    app.toasts.show(text.copied);
  };
  const tryCopy = () =>
    copy().catch((failure: unknown) => app.toasts.showError(text.couldNotCopy, failure));
  return (
    <span className="turn-actions">
      {canRetry && <RetryButton session={session} />}
      {answer !== undefined && answer.length > 0 && (
        <IconButton icon={Copy} label={text.copyAnswer} onClick={() => void tryCopy()} />
      )}
      {mayDrive && point && (
        <IconButton
          icon={GitFork}
          label={text.fork}
          onClick={() => void forkSession(app, session, point)}
        />
      )}
      {mayDrive && next && isRewindPoint(next) && (
        <IconButton
          icon={History}
          label={text.restoreFiles}
          onClick={() => openRewind(session, getUuid(next))}
        />
      )}
    </span>
  );
}

/** Whether nothing but notices, such as that the session was parked, comes after the end of a turn. */
function isLastTurn({ tree, watch }: SessionHandle, turnEnd: string): boolean {
  const at = tree.rows.lastIndexOf(turnEnd);
  return at >= 0 && tree.rows.slice(at + 1).every((id) => watch.view.item(id)?.kind === "notice");
}

function useIsBusy(id: string): boolean {
  const session = useSession(id);
  return session !== undefined && isBusy(session);
}

/** Sends the last message again after the turn has failed. */
function RetryButton({ session }: { session: string }) {
  const { client, toasts } = useAppContext();
  const [isAsked, setAsked] = useState(false);
  const retry = async () => {
    setAsked(true);
    try {
      await client.retry(session);
    } catch (failure) {
      toasts.showError(text.couldNotRetry, failure);
    } finally {
      setAsked(false);
    }
  };
  return (
    <button
      type="button"
      className="button button-small mr-2"
      data-role="retry"
      disabled={isAsked}
      onClick={() => void retry()}
    >
      <RotateCcw aria-hidden="true" />
      {text.retry}
    </button>
  );
}
