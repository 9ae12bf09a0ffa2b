import { ChevronDown, ChevronUp } from "lucide-react";
import { useState } from "react";
import { isMacKeyboard } from "../keys/key-labels.ts";
import { formatKeys } from "../keys/key-table.ts";
import { strings } from "../strings/strings.ts";
import { baseName } from "../text/path.ts";
import { inert, spelled } from "../text/visible.ts";
import { describePlace } from "./comment-editor.tsx";
import type { Review } from "./use-review.ts";

const text = strings.changes.review;

/** The review so far: its comments, and the button that sends them as one message. */
export function ReviewBar({ review, onShow }: { review: Review; onShow: (path: string) => void }) {
  const [isOpen, setOpen] = useState(false);
  const { pending } = review;
  if (pending.length === 0) return null;
  const Icon = isOpen ? ChevronDown : ChevronUp;
  return (
    <div className="review-bar" data-role="review-bar">
      {isOpen && (
        <ul className="review-list" aria-label={text.list}>
          {pending.map((comment) => (
            <li key={comment.id} className="flex items-center gap-2">
              <button
                type="button"
                className="file-row min-w-0"
                onClick={() => onShow(comment.path)}
              >
                <span className="shrink-0 text-dim">
                  {spelled(baseName(comment.path))} · {describePlace(comment)}
                </span>
                <span className="truncate">{inert(comment.text)}</span>
              </button>
              <button
                type="button"
                className="quiet-button shrink-0"
                onClick={() => review.remove(comment)}
              >
                {text.delete}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-center gap-2">
        <button
          type="button"
          className="button button-ghost grow justify-start!"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon aria-hidden="true" />
          {text.count(pending.length)}
        </button>
        <button
          type="button"
          className="button button-solid"
          data-role="send-review"
          onClick={() => void review.send()}
        >
          {text.send}
          <kbd className="kbd max-md:hidden">{formatKeys("Mod+Enter", isMacKeyboard())}</kbd>
        </button>
      </div>
    </div>
  );
}
