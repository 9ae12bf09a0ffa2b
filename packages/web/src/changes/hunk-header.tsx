import { UnfoldVertical } from "lucide-react";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";
import { hasMoreContext } from "./changes-store.ts";
import { canRevert, findStageAction } from "./comparison.ts";
import type { FileActions } from "./file-actions.ts";
import type { ViewRow } from "./view-rows.ts";

const text = strings.changes;

interface Props {
  readonly row: Extract<ViewRow, { kind: "hunk" }>;
  readonly actions: FileActions;
}

/** Where a hunk begins, and what can be done with it. */
export function HunkHeader({ row, actions }: Props) {
  const { file: shown } = row;
  const { hunk } = row.hunk;
  const { newStart, newLines } = hunk.hunk;
  const { against, mayDrive, onHunk } = actions;
  const stage = findStageAction(against);
  const isWhole = shown.diff?.kind === "text" && !shown.diff.isCut;
  const mayChange = mayDrive && isWhole && shown.file.submodule === undefined;
  return (
    <div className="change-hunk" data-role="hunk">
      {hasMoreContext(shown.context) && shown.file.status !== "untracked" && (
        <button
          type="button"
          className="button button-ghost change-expand"
          aria-label={text.moreContext}
          data-tip={text.moreContext}
          data-role="more-context"
          onClick={() => actions.onMoreContext(shown.file.path)}
        >
          <UnfoldVertical aria-hidden="true" />
        </button>
      )}
      <span className="min-w-0 grow truncate">
        {hunk.heading === "" ? "" : `${inert(hunk.heading)} · `}
        {text.lines(newStart, Math.max(newStart, newStart + newLines - 1))}
      </span>
      {mayChange && stage && (
        <button
          type="button"
          className="quiet-button"
          data-role={`${stage}-hunk`}
          onClick={() => onHunk(stage, shown, hunk)}
        >
          {text.actions[stage]}
        </button>
      )}
      {mayChange && canRevert(against) && (
        <button
          type="button"
          className="quiet-button"
          data-role="revert-hunk"
          onClick={() => onHunk("revert", shown, hunk)}
        >
          {text.actions.revert}
        </button>
      )}
    </div>
  );
}
