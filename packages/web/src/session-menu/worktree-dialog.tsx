import type { WorktreeView } from "@signalbox/api";
import { useRef } from "react";
import { AnswerButton } from "../guard/answer-button.tsx";
import { useAppContext } from "../store/app-context.tsx";
import { useMayDecide, useSession } from "../store/use-hub.ts";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { Modal } from "../ui/modal.tsx";

const text = strings.worktrees;

interface Props {
  readonly session: string;
  readonly worktree: WorktreeView;
  /** The branch of the main folder; null: none is checked out there. */
  readonly mainBranch: string | null;
  /** Archives or deletes the session. */
  readonly proceed: () => void;
  readonly onClose: () => void;
}

/** Asks what becomes of the worktree of a session that is archived or deleted. */
export default function WorktreeDialog(props: Props) {
  const { worktree, mainBranch, proceed, onClose } = props;
  const { folder, head, branch, changes, unsaved } = worktree;
  const { client, toasts } = useAppContext();
  const session = useSession(props.session);
  const mayDecide = useMayDecide();
  const keepButton = useRef<HTMLButtonElement>(null);
  const finish = async (work: () => Promise<void>) => {
    onClose();
    const carryOut = async () => {
      const isAlive = session?.state === "running" || session?.state === "starting";
      if (isAlive) await client.stop(props.session);
      await work();
    };
    try {
      await toasts.showWhile(text.working, carryOut());
      proceed();
    } catch (failure) {
      toasts.showError(text.failed, failure);
    }
  };
  const merge = () =>
    finish(async () => {
      if (head === null) return;
      await client.git.mergeWorktree(props.session, { folder, head });
      await client.git.removeWorktree(props.session, { folder, head, deleteBranch: true });
    });
  const remove = () => {
    const discard = changes > 0 ? { discard: { changes, unsaved } } : {};
    return finish(() => client.git.removeWorktree(props.session, { folder, head, ...discard }));
  };
  const mayMerge = changes === 0 && unsaved > 0 && branch !== null && mainBranch !== null;
  return (
    <Modal title={text.title} first={keepButton} onClose={onClose}>
      <div className="flex flex-col gap-3 p-4" data-role="worktree-dialog">
        <p className="wrap-anywhere">{text.where(inert(branch ?? text.noBranch), inert(folder))}</p>
        <ul className="flex flex-col gap-0.5">
          {changes > 0 && <li className="text-failed">{text.changes(changes)}</li>}
          {unsaved > 0 && <li>{text.unsaved(unsaved)}</li>}
          {changes === 0 && unsaved === 0 && <li>{text.nothingLost}</li>}
        </ul>
        <p className="text-small text-dim">{text.ignored}</p>
        {changes > 0 && !mayDecide && <p className="text-small text-dim">{text.needsApprover}</p>}
        <div className="flex flex-wrap justify-end gap-2">
          <button type="button" className="button" onClick={onClose}>
            {strings.parts.cancel}
          </button>
          <button
            ref={keepButton}
            type="button"
            className="button"
            onClick={() => {
              onClose();
              proceed();
            }}
          >
            {text.keep}
          </button>
          {mayMerge && (
            <button type="button" className="button button-solid" onClick={() => void merge()}>
              {text.merge(inert(mainBranch))}
            </button>
          )}
          {(changes === 0 || mayDecide) && (
            <AnswerButton
              of={folder}
              look={changes > 0 ? "button-danger" : "button"}
              role="remove-worktree"
              onPress={() => void remove()}
            >
              {changes > 0 ? text.discard : text.remove}
            </AnswerButton>
          )}
        </div>
      </div>
    </Modal>
  );
}
