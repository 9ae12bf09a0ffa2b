import { type ReactNode, useCallback, useEffect, useState } from "react";
import { AnswerButton } from "../guard/answer-button.tsx";
import { formatCount } from "../text/format.ts";
import { relativePath } from "../text/path.ts";
import { Modal } from "../ui/modal.tsx";
import { LoadingMessage } from "../ui/progress.tsx";
import { useSession } from "../store/use-hub.ts";
import { useAppContext } from "../store/app-context.tsx";
import { type Rewind, parseRewind } from "./rewind-answer.ts";
import { errorMessage } from "../text/error-message.ts";

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
  const putBack = async () => {
    setBusy(true);
    const done = await ask(false);
    setBusy(false);
    if (!done.can) return setRewind(done);
    toasts.show(`${formatCount(rewind?.files.length ?? 0, "file")} put back`);
    return onClose();
  };
  const wake = () =>
    void client
      .wake(id)
      .catch((failure: unknown) => toasts.showError("The process was not started", failure));
  const files = rewind?.files ?? [];
  return (
    <Modal title="Put files back to here" onClose={onClose}>
      <div className="flex flex-col gap-3 overflow-y-auto p-4" aria-busy={running && !rewind}>
        {!running && (
          <p>
            The agent keeps the old files, and its process does not run.{" "}
            <button type="button" className="button" onClick={wake}>
              Start the process
            </button>
          </p>
        )}
        {running && !rewind && <LoadingMessage text="Asking the agent what would change…" small />}
        {rewind && !rewind.can && (
          <p role="alert">
            Nothing was changed: {rewind.why ?? "the agent kept no files for this message."}
          </p>
        )}
        {rewind?.can && files.length === 0 && (
          <p>All files stand as they stood at this message: there is nothing to put back.</p>
        )}
        {rewind?.can && files.length > 0 && (
          <>
            <p>
              {formatCount(files.length, "file")} would be as before this message (
              <span className="text-working">+{rewind.insertions}</span>{" "}
              <span className="text-failed">−{rewind.deletions}</span> lines). The conversation
              stays, and what shell commands changed does, too.
            </p>
            <ul className="box max-h-52 overflow-y-auto p-2 font-mono text-small" tabIndex={0}>
              {files.map((file) => (
                <li key={file} className="break-all">
                  {relativePath(file, session?.folder)}
                </li>
              ))}
            </ul>
          </>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {files.length > 0 ? "Leave them as they are" : "Close"}
          </button>
          {rewind?.can && files.length > 0 && (
            <PutBack disabled={busy || !running} onPress={() => void putBack()}>
              {busy ? "Putting back…" : `Put ${formatCount(files.length, "file")} back`}
            </PutBack>
          )}
        </div>
      </div>
    </Modal>
  );
}

/** The button overwrites files, so it is guarded like Allow (C16). */
function PutBack(props: { disabled: boolean; onPress: () => void; children: ReactNode }) {
  const { disabled, onPress, children } = props;
  return (
    <AnswerButton
      of="put-back"
      look="button-solid"
      role="put-back"
      disabled={disabled}
      onPress={onPress}
    >
      {children}
    </AnswerButton>
  );
}
