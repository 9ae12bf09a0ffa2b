import { MessageSquarePlus } from "lucide-react";
import { useState } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { strings } from "../strings/strings.ts";
import type { PlanComments } from "./plan-comments.ts";

const text = strings.asks;

interface Props {
  readonly parts: readonly string[];
  readonly comments: PlanComments;
  readonly onChange: (comments: PlanComments) => void;
}

/** A plan as rendered Markdown. Each part of it can be commented on. */
export default function PlanReader({ parts, comments, onChange }: Props) {
  const [open, setOpen] = useState<number>();
  return (
    <div className="plan-reader" data-role="plan">
      {parts.map((part, at) => {
        const comment = comments[at] ?? "";
        const isOpen = open === at;
        return (
          <div key={at} className="plan-part" data-commented={comment !== ""}>
            <Markdown text={part} />
            {!isOpen && (
              <button
                type="button"
                className="plan-comment-button"
                aria-label={text.commentOn(part.trim().split("\n", 1)[0] ?? "")}
                data-tip={text.comment}
                data-role="comment-plan"
                onClick={() => setOpen(at)}
              >
                <MessageSquarePlus aria-hidden="true" />
              </button>
            )}
            {!isOpen && comment !== "" && (
              <button type="button" className="plan-comment" onClick={() => setOpen(at)}>
                {comment}
              </button>
            )}
            {isOpen && (
              <CommentField
                comment={comment}
                onClose={(next) => {
                  setOpen(undefined);
                  if (next !== undefined) onChange({ ...comments, [at]: next });
                }}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

function CommentField(props: { comment: string; onClose: (comment: string | undefined) => void }) {
  const { comment, onClose } = props;
  const [typed, setTyped] = useState(comment);
  return (
    <div className="my-2 flex flex-col gap-2">
      <textarea
        className="field"
        rows={2}
        autoFocus
        data-role="plan-comment"
        aria-label={text.comment}
        placeholder={text.commentPlaceholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            onClose(undefined);
          }
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            event.stopPropagation();
            onClose(typed);
          }
        }}
      />
      <div className="flex gap-2">
        <button
          type="button"
          className="button button-small button-solid"
          onClick={() => onClose(typed)}
        >
          {text.saveComment}
        </button>
        <button
          type="button"
          className="button button-small button-ghost"
          onClick={() => onClose(undefined)}
        >
          {text.cancel}
        </button>
      </div>
    </div>
  );
}
