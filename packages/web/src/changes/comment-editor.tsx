import { MessageSquare } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { strings } from "../strings/strings.ts";
import type { CommentTarget, Review } from "./use-review.ts";

const text = strings.changes.review;

/** Where a comment on lines or a file is written. */
export function CommentEditor({ target, review }: { target: CommentTarget; review: Review }) {
  const [said, setSaid] = useState(target.edited?.text ?? "");
  const save = () => {
    if (said.trim() !== "") review.save(target, said.trim());
  };
  return (
    <form
      className="change-comment"
      data-role="comment-editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <p className="change-comment-place">
        <MessageSquare aria-hidden="true" />
        {describePlace(target)}
      </p>
      <textarea
        className="change-comment-field"
        aria-label={describePlace(target)}
        placeholder={text.placeholder}
        value={said}
        rows={2}
        autoFocus
        data-role="comment"
        onChange={(event) => setSaid(event.target.value)}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Escape") {
            event.stopPropagation();
            review.setTarget(undefined);
          }
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            save();
          }
        }}
      />
      <div className="change-comment-foot">
        <button
          type="submit"
          className="button button-solid button-small"
          disabled={said.trim() === ""}
          data-role="add-comment"
        >
          {target.edited ? text.save : text.add}
        </button>
        <button
          type="button"
          className="button button-ghost button-small"
          onClick={() => review.setTarget(undefined)}
        >
          {strings.parts.cancel}
        </button>
      </div>
    </form>
  );
}

export function describePlace({ lines }: Pick<CommentTarget, "lines">): string {
  if (!lines) return text.onFile;
  return lines.first === lines.last
    ? text.onLine(lines.first)
    : text.onLines(lines.first, lines.last);
}
