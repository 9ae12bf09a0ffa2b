import type { FolderFinding } from "@signalbox/api";
import { PlainText } from "../text/plain-text.tsx";
import { inert } from "../text/visible.ts";
import { findingLabel } from "./trust-labels.ts";

/** The code that a folder would run, as plain text, with its source files. */
export function FindingsList({ findings }: { findings: readonly FolderFinding[] }) {
  return (
    <ul className="flex flex-col gap-2 p-2" data-role="findings">
      {findings.map((finding) => (
        <li key={finding.id} className="flex flex-col gap-1" data-kind={finding.kind}>
          <span className="text-small text-dim wrap-anywhere">
            {findingLabel(finding)} ({inert(finding.source)})
          </span>
          <PlainText text={finding.text} />
          {finding.warning !== undefined && (
            <strong className="text-small">{inert(finding.warning)}</strong>
          )}
        </li>
      ))}
    </ul>
  );
}
