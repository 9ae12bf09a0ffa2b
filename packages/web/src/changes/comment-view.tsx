import { Check, MessageSquare } from "lucide-react";
import { useState } from "react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import type { ShownFile } from "./changes-store.ts";
import { StaticDiff } from "./static-diff.tsx";
import { findCodeSince } from "./changed-since.ts";
import { describePlace } from "./comment-editor.tsx";
import type { ReviewComment } from "./review-comment.ts";
import type { Review } from "./use-review.ts";

const text = strings.changes.review;

interface Props {
  readonly comment: ReviewComment;
  readonly shown: ShownFile;
  readonly review: Review;
}

/** A comment of the review, with what has become of its code once it was sent. */
export function CommentView({ comment, shown, review }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { state, lines } = comment;
  if (state === "resolved" && !isOpen) {
    return (
      <button type="button" className="change-resolved" onClick={() => setOpen(true)}>
        <Check aria-hidden="true" />
        <span className="truncate">{text.resolvedComment(inert(comment.text))}</span>
      </button>
    );
  }
  return (
    <article className="change-comment" data-comment={comment.id} data-state={state}>
      <p className="change-comment-place">
        <MessageSquare aria-hidden="true" />
        {describePlace({ ...(lines && { lines }) })}
        {state !== "pending" && <span className="chip">{text.states[state]}</span>}
      </p>
      <p className="change-comment-text">{inert(comment.text)}</p>
      {state !== "pending" && <CodeSinceView comment={comment} shown={shown} />}
      <div className="change-comment-foot">
        {state === "pending" && (
          <>
            <button
              type="button"
              className="button button-ghost button-small"
              data-role="edit-comment"
              onClick={() => review.setTarget({ ...comment, edited: comment })}
            >
              {text.edit}
            </button>
            <button
              type="button"
              className="button button-ghost button-small"
              data-role="delete-comment"
              onClick={() => review.remove(comment)}
            >
              {text.delete}
            </button>
          </>
        )}
        {state === "sent" && (
          <button
            type="button"
            className="button button-small"
            data-role="resolve-comment"
            onClick={() => review.setResolved(comment, true)}
          >
            {text.resolve}
          </button>
        )}
        {state === "resolved" && (
          <>
            <button
              type="button"
              className="button button-ghost button-small"
              onClick={() => review.setResolved(comment, false)}
            >
              {text.reopen}
            </button>
            <button
              type="button"
              className="button button-ghost button-small"
              onClick={() => setOpen(false)}
            >
              {text.hide}
            </button>
          </>
        )}
      </div>
    </article>
  );
}

/** What changed in the code of a comment since it was written. */
function CodeSinceView({ comment, shown }: Pick<Props, "comment" | "shown">) {
  if (!comment.lines) return null;
  const since = findCodeSince(comment, shown.diff);
  if (since.kind === "changed") {
    return (
      <div className="px-3 pb-2" data-role="changed-since">
        <p className="mb-1 text-small text-dim">{text.changedSince}</p>
        <div className="overflow-hidden rounded-control border border-line">
          <StaticDiff path={comment.path} hunks={since.hunks} />
        </div>
      </div>
    );
  }
  return (
    <p className="px-3 pb-2 text-small text-dim">
      {since.kind === "same" ? text.notChanged : text.codeGone}
    </p>
  );
}
