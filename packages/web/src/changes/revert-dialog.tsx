import { useRef } from "react";
import { AnswerButton } from "../guard/answer-button.tsx";
import { strings } from "../strings/strings.ts";
import { baseName } from "../text/path.ts";
import { spelled } from "../text/visible.ts";
import { Modal } from "../ui/modal.tsx";
import type { ShownChange } from "./change-requests.ts";
import { invertHunk } from "./parse-patch.ts";
import { StaticDiff } from "./static-diff.tsx";

const text = strings.changes.revert;

interface Props {
  readonly change: ShownChange;
  readonly onClose: () => void;
  readonly onRevert: () => void;
}

/** Shows what a revert will do to a file before it is done. */
export default function RevertDialog({ change, onClose, onRevert }: Props) {
  const cancel = useRef<HTMLButtonElement>(null);
  const { file, diff } = change.shown;
  const all = diff?.kind === "text" ? diff.hunks.map(({ hunk }) => hunk) : [];
  const hunks = (change.hunk ? [change.hunk] : all).map(({ hunk }) => invertHunk(hunk));
  const isDeleted = !change.hunk && (file.status === "added" || file.status === "untracked");
  const name = spelled(baseName(file.path));
  return (
    <Modal
      title={change.hunk ? text.hunkTitle(name) : text.fileTitle(name)}
      first={cancel}
      isWide
      onClose={onClose}
    >
      <div className="flex min-h-0 flex-col gap-3 p-4" data-role="revert-preview">
        <p className="wrap-anywhere">
          {isDeleted ? text.deletes(spelled(file.path)) : text.preview(spelled(file.path))}
        </p>
        {hunks.length > 0 && (
          <div className="min-h-0 overflow-auto rounded-box border border-line">
            <StaticDiff path={file.path} hunks={hunks} />
          </div>
        )}
        <p className="text-small text-dim">{text.undoNote}</p>
        <div className="flex flex-wrap justify-end gap-2">
          <button ref={cancel} type="button" className="button" onClick={onClose}>
            {strings.parts.cancel}
          </button>
          <AnswerButton
            of={file.path}
            look="button-danger"
            role="confirm-revert"
            onPress={() => {
              onClose();
              onRevert();
            }}
          >
            {text.confirm}
          </AnswerButton>
        </div>
      </div>
    </Modal>
  );
}
