import type { WorkingChanges } from "@signalbox/api";
import { strings } from "../strings/strings.ts";
import { inert } from "../text/visible.ts";

const text = strings.changes.compare;

/** How the hub names the comparison since the session began. */
export const SESSION_START = "start";
/** Opens the field for a branch or commit. */
export const OTHER_REVISION = "other";

const MAX_BRANCHES = 8;

interface ComparisonOption {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** What the files can be compared with: fixed choices, branches, and the revision that was chosen. */
export function listComparisons(
  current: string,
  changes: WorkingChanges | undefined,
): ComparisonOption[] {
  const branches = changes?.repository ? changes.branches : [];
  const own = changes?.repository ? changes.branch : undefined;
  const options: ComparisonOption[] = [
    { value: SESSION_START, label: text.start, hint: text.startHint },
    { value: "head", label: text.head, hint: text.headHint },
    { value: "index", label: text.index, hint: text.indexHint },
    { value: "staged", label: text.staged, hint: text.stagedHint },
    ...branches
      .filter((branch) => branch !== own)
      .slice(0, MAX_BRANCHES)
      .map((branch) => ({ value: `commit:${branch}`, label: text.branch(inert(branch)) })),
    { value: OTHER_REVISION, label: text.other },
  ];
  if (options.some(({ value }) => value === current)) return options;
  return [...options, { value: current, label: describeRevision(current) }];
}

function describeRevision(name: string): string {
  return text.revision(inert(name.replace(/^commit:/, "")));
}

/** Whether a hunk of this comparison can be put into the index, or taken out of it. */
export function findStageAction(against: string): "stage" | "unstage" | undefined {
  if (against === "index") return "stage";
  return against === "staged" ? "unstage" : undefined;
}

/** What is staged is not in the files alone, so it is taken out of the index instead of being reverted. */
export function canRevert(against: string): boolean {
  return against !== "staged";
}
