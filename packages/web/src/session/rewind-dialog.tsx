import { type ReactNode, useCallback, useEffect, useState } from "react";
import { AnswerButton } from "../guard/answer-button.tsx";
import { formatCount, formatNumber } from "../text/format.ts";
import { relativePath } from "../text/path.ts";
import { Modal } from "../ui/modal.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { useSession } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { type Rewind, parseRewind } from "./rewind-answer.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { strings } from "../strings/strings.ts";

const text = strings.restore;

interface Props {
  readonly session: string;
  /** The message to whose state the files are restored. */
  readonly message: string;
  readonly onClose: () => void;
}

/** Shows what restoring files would change, and does it after confirmation. */
export default function RewindDialog({ session: id, message, onClose }: Props) {
  const { client, toasts } = useAppContext();
  const session = useSession(id);
  const running = session?.state === "running";
  const [rewind, setRewind] = useState<Rewind>();
  const [busy, setBusy] = useState(false);
  const [isConversation, setConversation] = useState(false);
  const ask = useCallback(
    async (dry: boolean): Promise<Rewind> => {
      try {
        const fields = { user_message_id: message, dry_run: dry };
        return parseRewind(await client.control(id, "rewind_files", fields));
      } catch (failure) {
        const why = errorMessage(failure);
        return { ...parseRewind(undefined), why };
      }
    },
    [client, id, message],
  );
  useEffect(() => {
    if (!running) return undefined;
    let cancelled = false;
    const look = async () => {
      const found = await ask(true);
      if (!cancelled) setRewind(found);
    };
    void look();
    return () => {
      cancelled = true;
    };
  }, [ask, running]);
  const restore = async () => {
    setBusy(true);
    const done = await ask(false);
    if (!done.can) {
      setBusy(false);
      return setRewind(done);
    }
    toasts.show(text.restored(formatCount(rewind?.files.length ?? 0, "file")));
    return isConversation ? goBack() : onClose();
  };
  /** The conversation goes back after the files, because that ends the agent that has them stored. */
  const goBack = async () => {
    setBusy(true);
    try {
      await client.rewind(id, { before: message });
      toasts.show(strings.branches.wentBack);
      onClose();
    } catch (failure) {
      setBusy(false);
      toasts.showError(strings.branches.couldNotGoBack, failure);
    }
  };
  const start = () =>
    void client.wake(id).catch((failure: unknown) => toasts.showError(text.couldNotStart, failure));
  const files = rewind?.files ?? [];
  return (
    <Modal title={text.title} onClose={onClose}>
      <div className="flex flex-col gap-3 overflow-y-auto p-4" aria-busy={running && !rewind}>
        {!running && (
          <p>
            {text.agentStopped}{" "}
            <button type="button" className="button" onClick={start}>
              {text.start}
            </button>
          </p>
        )}
        {running && !rewind && <LoadingMessage text={text.checking} small />}
        {rewind && !rewind.can && (
          <p role="alert">{text.notPossible(rewind.why ?? text.notStored)}</p>
        )}
        {rewind?.can && files.length === 0 && <p>{text.nothing}</p>}
        {rewind?.can && files.length > 0 && (
          <>
            <p>
              {text.summary(formatCount(files.length, "file"))}{" "}
              <span className="whitespace-nowrap" aria-hidden="true">
                <span className="text-working">+{rewind.insertions}</span>{" "}
                <span className="text-failed">−{rewind.deletions}</span>
              </span>
              <span className="sr-only">
                {text.lines(formatNumber(rewind.insertions), formatNumber(rewind.deletions))}
              </span>
            </p>
            <p className="text-dim">{text.limits}</p>
            <ul className="box max-h-52 overflow-y-auto p-2 font-mono text-small" tabIndex={0}>
              {files.map((file) => (
                <li key={file} className="break-all">
                  {relativePath(file, session?.folder)}
                </li>
              ))}
            </ul>
          </>
        )}
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-1"
            data-role="rewind-conversation"
            checked={isConversation}
            onChange={(event) => setConversation(event.target.checked)}
          />
          <span>
            {strings.branches.goBack}
            <span className="block text-small text-dim">{strings.branches.goBackHint}</span>
          </span>
        </label>
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {files.length > 0 ? strings.parts.cancel : text.close}
          </button>
          {isConversation && !(rewind?.can && files.length > 0) && (
            <button
              type="button"
              className="button button-solid"
              data-role="go-back"
              disabled={busy || (running && !rewind)}
              onClick={() => void goBack()}
            >
              {strings.branches.confirm}
            </button>
          )}
          {rewind?.can && files.length > 0 && (
            <RestoreButton disabled={busy || !running} onPress={() => void restore()}>
              {busy ? text.restoring : text.confirm(formatCount(files.length, "file"))}
            </RestoreButton>
          )}
        </div>
      </div>
    </Modal>
  );
}

/** The button overwrites files, so it is guarded like Allow (C16). */
function RestoreButton(props: { disabled: boolean; onPress: () => void; children: ReactNode }) {
  const { disabled, onPress, children } = props;
  return (
    <AnswerButton
      of="restore-files"
      look="button-solid"
      role="restore-files"
      disabled={disabled}
      onPress={onPress}
    >
      {children}
    </AnswerButton>
  );
}
