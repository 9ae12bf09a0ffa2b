import { getLength, type DisplayItemOf } from "../../text/body.ts";
import { Prose } from "../parts/prose.tsx";
import { useFold } from "../parts/use-fold.ts";
import { formatCount } from "../../text/format.ts";

/** The agent's thinking, folded, with its length. */
export function ThinkingView({ item }: { item: DisplayItemOf<"thinking"> }) {
  const [open, toggle] = useFold(item.id, false);
  const length = getLength(item.text);
  return (
    <div className="thinking">
      <button
        type="button"
        className="quiet-button"
        aria-expanded={open}
        disabled={length === 0}
        onClick={toggle}
      >
        {item.live ? "Thinking" : "Thought"}
        {length > 0 && <span> · {formatCount(length, "character")}</span>}
        {length === 0 && !item.live && <span> · kept to itself</span>}
      </button>
      {open && (
        <div className="max-w-reading border-l border-line pl-3 text-dim">
          <Prose body={item.text} live={item.live} />
        </div>
      )}
    </div>
  );
}
