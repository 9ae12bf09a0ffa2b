import { ChevronRight } from "lucide-react";
import { memo } from "react";
import { LineCounts } from "../items/tools/modify-file.tsx";
import { type SessionHandle, useWatchValue } from "../store/use-session-handle.ts";
import { strings } from "../strings/strings.ts";
import { formatWorkDuration } from "../text/format.ts";
import type { WorkRow } from "./turn-rows.ts";
import { turnDuration } from "./turn-duration.ts";
import { summarizeWork } from "./work-summary.ts";

const text = strings.conversation;

interface Props {
  readonly handle: SessionHandle;
  readonly work: WorkRow;
  readonly isOpen: boolean;
  readonly onToggle: (turnEnd: string) => void;
}

/** The folded work of a turn: "Worked for 1 m 43 s · 8 steps · +11 −2". */
export const WorkHeader = memo(function WorkHeader({ handle, work, isOpen, onToggle }: Props) {
  // A text, so that the row renders again only when a figure changes.
  const figures = useWatchValue(handle, () => {
    const { view } = handle.watch;
    const items = work.items.flatMap((id) => view.item(id) ?? []);
    const duration = turnDuration(view, work.turnEnd);
    return JSON.stringify(summarizeWork(items, view.item(work.turnEnd)?.at, duration));
  });
  const { steps, added, removed, failed, durationMs } = JSON.parse(figures) as ReturnType<
    typeof summarizeWork
  >;
  return (
    <button
      type="button"
      className="work-row"
      aria-expanded={isOpen}
      data-role="work"
      onClick={() => onToggle(work.turnEnd)}
    >
      <ChevronRight
        aria-hidden="true"
        className={`size-3.5! transition-[rotate] ${isOpen ? "rotate-90" : ""}`}
      />
      <b>
        {durationMs === undefined ? text.workedShort : text.worked(formatWorkDuration(durationMs))}
      </b>
      <span>
        {text.steps(steps)}
        {failed > 0 && <span className="text-failed"> · {text.failedSteps(failed)}</span>}
        {added + removed > 0 && (
          <>
            {" · "}
            <LineCounts added={added} removed={removed} />
          </>
        )}
      </span>
    </button>
  );
});
