import type { Session } from "@signalbox/client";
import { Ellipsis, GitCommitHorizontal, Sparkles } from "lucide-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { requestConfirmation } from "../navigation/confirm.ts";
import { mayDecide, useAppContext } from "../store/app-context.tsx";
import { useFormDraft } from "../store/use-form-draft.ts";
import { strings } from "../strings/strings.ts";
import { errorMessage } from "@signalbox/protocol/text";
import { IconButton } from "../ui/icon-button.tsx";
import { MenuButton } from "../ui/menu-button.tsx";
import type { ShownFile } from "./changes-store.ts";
import {
  applyStash,
  commitChanges,
  isUncommitted,
  stashChanges,
  switchBranch,
} from "./commit-actions.ts";
import { CommitHooks } from "./commit-hooks.tsx";
import { requestCommitMessage } from "./request-message.ts";
import { type OpenRepository, useRepository } from "./use-repository.ts";

const BranchDialog = lazy(() => import("./branch-dialog.tsx"));

const text = strings.changes.commit;

interface Props {
  readonly session: Session;
  readonly files: readonly ShownFile[];
  /** Another one when the repository may stand elsewhere. */
  readonly version: string;
  readonly onChanged: () => void;
}

/** The message of the next commit, and what is done with the repository. */
export function CommitBar({ session, files, version, onChanged }: Props) {
  const { repository, reload } = useRepository(session.id, version);
  if (!repository) return null;
  const onDone = () => {
    reload();
    onChanged();
  };
  return <CommitForm {...{ session, files, repository, onDone }} />;
}

interface FormProps extends Pick<Props, "session" | "files"> {
  readonly repository: OpenRepository;
  readonly onDone: () => void;
}

function CommitForm({ session, files, repository, onDone }: FormProps) {
  const app = useAppContext();
  const { id } = session;
  const [message, setMessage] = useFormDraft(`commit/${id}`, "");
  const [isAmend, setAmend] = useState(false);
  const [isSkipping, setSkipping] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isChoosing, setChoosing] = useState(false);
  const writing = useWrittenMessage(session, setMessage);
  const uncommitted = files.filter(({ file }) => isUncommitted(file));
  const staged = uncommitted.filter(({ file }) => file.staged);
  const { hooks, identity, lastCommit, stashes } = repository;
  const mayRunHooks = mayDecide(app);
  const runsHooks = hooks?.trusted === true && mayRunHooks && !isSkipping;
  const canCommit = message.trim() !== "" && identity !== null && !isBusy;
  const hasWork = uncommitted.length > 0 || isAmend;
  const commit = async () => {
    if (isAmend && lastCommit?.pushed && !(await requestConfirmation(text.amendPushed))) return;
    setBusy(true);
    const options = { session: id, message, isAmend, runsHooks, repository };
    const made = await commitChanges(options, app);
    setBusy(false);
    if (!made) return;
    setMessage(undefined);
    setAmend(false);
    onDone();
  };
  const startAmend = () => {
    setAmend(!isAmend);
    if (!isAmend && message.trim() === "" && lastCommit) setMessage(lastCommit.message);
  };
  const entries = [
    ...(lastCommit ? [{ key: "amend", content: isAmend ? text.noAmend : text.amend }] : []),
    { key: "branch", content: text.branch },
    ...(uncommitted.length > 0 ? [{ key: "stash", content: text.stash }] : []),
    ...(stashes.length > 0 ? [{ key: "unstash", content: text.unstash }] : []),
  ];
  return (
    <form
      className="commit-bar"
      data-role="commit-bar"
      onSubmit={(event) => {
        event.preventDefault();
        if (canCommit && hasWork) void commit();
      }}
    >
      <div className="commit-message">
        <textarea
          aria-label={text.message}
          placeholder={isAmend ? text.amendPlaceholder : text.placeholder}
          value={message}
          rows={2}
          data-role="commit-message"
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            if (canCommit && hasWork) void commit();
          }}
        />
        <IconButton
          icon={Sparkles}
          label={writing.isWriting ? text.stopWriting : text.askClaude}
          aria-pressed={writing.isWriting}
          data-role="write-message"
          onClick={writing.toggle}
        />
      </div>
      {writing.isWriting && (
        <p className="text-small text-dim" role="status">
          {text.writing}
        </p>
      )}
      {hooks && (
        <CommitHooks
          hooks={hooks}
          isSkipped={!runsHooks}
          mayRun={mayRunHooks}
          onSkip={setSkipping}
        />
      )}
      {identity === null && <p className="text-small text-waiting">{text.noIdentity}</p>}
      <div className="flex gap-2">
        <button
          type="submit"
          className="button button-solid min-w-0 grow"
          disabled={!canCommit || !hasWork}
          data-role="commit"
        >
          <GitCommitHorizontal aria-hidden="true" />
          <span className="truncate">
            {isAmend
              ? text.amendCommit
              : staged.length > 0
                ? text.commitStaged(staged.length)
                : text.commitFiles(uncommitted.length)}
          </span>
        </button>
        <MenuButton
          className="button button-icon shrink-0"
          aria-label={text.more}
          data-tip={text.more}
          data-role="repository-menu"
          menu={{
            label: text.more,
            align: "end",
            entries,
            onSelect: (key) => {
              if (key === "amend") startAmend();
              else if (key === "branch") setChoosing(true);
              else if (key === "stash") void stashChanges(id, app, onDone);
              else void applyStash(id, stashes[0]?.id ?? "", app, onDone);
            },
          }}
        >
          <Ellipsis aria-hidden="true" />
        </MenuButton>
      </div>
      {isChoosing && (
        <Suspense fallback={null}>
          <BranchDialog
            repository={repository}
            onClose={() => setChoosing(false)}
            onChoose={(branch, isNew) => void switchBranch(id, branch, isNew, app, onDone)}
          />
        </Suspense>
      )}
    </form>
  );
}

/** Has the agent write the message. Asking again stops waiting for it. */
function useWrittenMessage(session: Session, onWritten: (message: string) => void) {
  const { client, toasts } = useAppContext();
  const waiting = useRef<AbortController>(undefined);
  const [isWriting, setWriting] = useState(false);
  useEffect(() => () => waiting.current?.abort(), []);
  const write = async () => {
    const stop = new AbortController();
    waiting.current = stop;
    setWriting(true);
    try {
      onWritten(await requestCommitMessage(client, session, stop.signal));
    } catch (failure) {
      if (!stop.signal.aborted) {
        toasts.showError(text.couldNotWrite, new Error(errorMessage(failure)));
      }
    }
    if (waiting.current === stop) setWriting(false);
  };
  const toggle = () => {
    if (!isWriting) return void write();
    waiting.current?.abort();
    return setWriting(false);
  };
  return { isWriting, toggle };
}
