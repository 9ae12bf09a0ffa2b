import { SquareTerminal } from "lucide-react";
import { strings } from "../strings/strings.ts";

/** Marks a session that was begun in Claude Code itself. */
export function ImportedMark() {
  return (
    <SquareTerminal
      className="me-1 inline size-3! shrink-0 align-[-1px] text-faint"
      aria-label={strings.frame.fromClaudeCode}
      data-tip={strings.frame.fromClaudeCode}
      data-role="imported"
    />
  );
}
