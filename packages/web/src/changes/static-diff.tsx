import type { Hunk } from "@signalbox/timeline/view";
import { useMemo } from "react";
import { buildRows } from "../items/diff/rows.ts";
import { strings } from "../strings/strings.ts";
import { DiffLineView } from "./diff-line-view.tsx";
import { prepareHunks } from "./diff-lines.ts";

/** More lines of a change that is only previewed are not drawn. */
const MAX_LINES = 500;

/** A change to look at, such as the preview of a revert. */
export function StaticDiff({ path, hunks }: { path: string; hunks: readonly Hunk[] }) {
  const lines = useMemo(() => {
    const parsed = hunks.map((hunk) => ({
      hunk,
      text: "",
      heading: "",
      rows: buildRows([hunk]).slice(1),
    }));
    return prepareHunks(path, parsed).flatMap(({ unified }) => unified);
  }, [path, hunks]);
  return (
    <div className="static-diff">
      {lines.slice(0, MAX_LINES).map((line, at) => (
        <DiffLineView
          key={at}
          line={line}
          columns="unified"
          selected={undefined}
          onLine={undefined}
        />
      ))}
      {lines.length > MAX_LINES && (
        <p className="change-note">{strings.changes.moreLines(lines.length - MAX_LINES)}</p>
      )}
    </div>
  );
}
