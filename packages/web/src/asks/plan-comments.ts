import { splitBlocks } from "../markdown/blocks.ts";

/** Comments on the parts of a plan, by the part's position. */
export type PlanComments = Readonly<Record<string, string>>;

const listEntry = /^ {0,3}(?:[-+*]|\d{1,9}[.)])[ \t]/;
const fenceLine = /^ {0,3}(?:```|~~~)/;

/** The parts of a plan that can be commented on: paragraphs, headings, blocks, and each entry of a list. */
export function splitPlan(plan: string): readonly string[] {
  return splitBlocks(plan)
    .flatMap(splitEntries)
    .filter((part) => part.trim() !== "");
}

function splitEntries(block: string): readonly string[] {
  const lines = block.split("\n");
  if (!listEntry.test(lines[0] ?? "") || lines.some((line) => fenceLine.test(line))) return [block];
  const entries: string[] = [];
  for (const line of lines) {
    if (listEntry.test(line)) entries.push(line);
    else entries.push(`${entries.pop() ?? ""}\n${line}`);
  }
  return entries;
}

/** Everything that should be different, as one message: each part that has a comment as a quotation above it. */
export function formatPlanComments(parts: readonly string[], comments: PlanComments): string {
  return parts
    .flatMap((part, at) => {
      const comment = comments[at]?.trim() ?? "";
      if (comment === "") return [];
      const quotation = part
        .trim()
        .split("\n")
        .map((line) => `> ${line}`.trimEnd());
      return [`${quotation.join("\n")}\n\n${comment}`];
    })
    .join("\n\n");
}

/**
 * The comments after the plan was edited: each stays with its part, and one whose own part was changed stays at
 * its position.
 */
export function movePlanComments(
  before: readonly string[],
  after: readonly string[],
  comments: PlanComments,
): PlanComments {
  const moved: Record<string, string> = {};
  for (const [key, comment] of Object.entries(comments)) {
    if (comment.trim() === "") continue;
    const same = after.indexOf(before[Number(key)] ?? "");
    const at = same >= 0 ? same : Math.max(0, Math.min(Number(key), after.length - 1));
    moved[at] = moved[at] === undefined ? comment : `${moved[at]}\n${comment}`;
  }
  return moved;
}

export function countComments(comments: PlanComments): number {
  return Object.values(comments).filter((comment) => comment.trim() !== "").length;
}
