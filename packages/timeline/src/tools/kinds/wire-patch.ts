import type { Hunk } from "../../diff/hunk.ts";
import { toFields, number } from "../../tool-payload/values.ts";

/** The hunks from the wire; undefined if there are none or one of them is malformed. */
export function wirePatch(value: unknown): Hunk[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const hunks = value.flatMap((one) => wireHunk(one) ?? []);
  return hunks.length === value.length ? hunks : undefined;
}

function wireHunk(value: unknown): Hunk | undefined {
  const { lines, ...counts } = toFields(value);
  const oldStart = number(counts["oldStart"]);
  const oldLines = number(counts["oldLines"]);
  const newStart = number(counts["newStart"]);
  const newLines = number(counts["newLines"]);
  if (oldStart === undefined || oldLines === undefined) return undefined;
  if (newStart === undefined || newLines === undefined) return undefined;
  if (!Array.isArray(lines) || !lines.every((line) => typeof line === "string")) return undefined;
  return { oldStart, oldLines, newStart, newLines, lines };
}
