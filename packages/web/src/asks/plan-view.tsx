import type { AskView } from "@signalbox/api";
import { Maximize2, Pencil } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { strings } from "../strings/strings.ts";
import { PlainText } from "../text/plain-text.tsx";
import { reorders } from "../text/visible.ts";
import { countComments } from "./plan-comments.ts";
import { type PlanDraft, usePlanDraft } from "./plan-draft.ts";

const PlanReader = lazy(() => import("./plan-reader.tsx"));
const Modal = lazy(async () => ({ default: (await import("../ui/modal.tsx")).Modal }));

const text = strings.asks;

interface Props {
  readonly ask: AskView;
  readonly className: string;
}

/** A plan to be read, with comments on its parts, or to be edited. It can be opened at full width. */
export function PlanView({ ask, className }: Props) {
  const draft = usePlanDraft(ask);
  const isMixed = reorders(draft.text);
  const [plain, setPlain] = useState(isMixed);
  const [isWide, setWide] = useState(false);
  const comments = countComments(draft.comments);
  const content =
    plain && !draft.isEditing ? <PlainText text={draft.text} /> : <Content {...draft} />;
  return (
    <div className={className}>
      <div className="plan-text">{!isWide && content}</div>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <EditButtons {...draft} />
        <button
          type="button"
          className="button button-small"
          data-role="plan-wide"
          onClick={() => setWide(true)}
        >
          <Maximize2 aria-hidden="true" />
          {text.openFullWidth}
        </button>
        {!draft.isEditing && (
          <label className="choice text-small text-dim">
            <input type="checkbox" checked={plain} onChange={() => setPlain(!plain)} />
            {isMixed ? text.plainTextMixed : text.plainText}
          </label>
        )}
        <span className="ml-auto text-small text-dim" role="status">
          {comments > 0 && text.comments(comments)}
        </span>
      </div>
      {isWide && (
        <Suspense fallback={null}>
          <Modal title={text.plan} isWide onClose={() => setWide(false)}>
            <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-6 py-4">
              {content}
              <div className="flex flex-wrap gap-2">
                <EditButtons {...draft} />
              </div>
            </div>
          </Modal>
        </Suspense>
      )}
    </div>
  );
}

function Content(draft: PlanDraft) {
  const { text: plan, parts, comments, isEditing, setComments, edit } = draft;
  if (isEditing) {
    return (
      <textarea
        className="field plan-field"
        dir="auto"
        data-role="edited-plan"
        aria-label={text.editPlan}
        autoFocus
        value={plan}
        onChange={(event) => edit(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          event.stopPropagation();
          draft.finishEditing();
        }}
      />
    );
  }
  return (
    <Suspense fallback={<PlainText text={plan} />}>
      <PlanReader parts={parts} comments={comments} onChange={setComments} />
    </Suspense>
  );
}

function EditButtons({
  canEdit,
  isEditing,
  isEdited,
  edit,
  finishEditing,
  discardEdit,
}: PlanDraft) {
  if (!canEdit) return null;
  return (
    <>
      {isEditing ? (
        <button
          type="button"
          className="button button-small button-solid"
          data-role="plan-edited"
          onClick={finishEditing}
        >
          {text.doneEditing}
        </button>
      ) : (
        <button
          type="button"
          className="button button-small"
          data-role="edit-plan"
          onClick={() => edit()}
        >
          <Pencil aria-hidden="true" />
          {text.edit}
        </button>
      )}
      {isEdited && (
        <button type="button" className="button button-small button-ghost" onClick={discardEdit}>
          {text.discardEdit}
        </button>
      )}
    </>
  );
}
