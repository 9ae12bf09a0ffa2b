import * as z from "zod";
import { comparisonName, diffPath } from "./changes.ts";
import { uuidText } from "./values.ts";

const MAX_HUNK = 4_000_000;

export const shownHunk = z
  .strictObject({
    text: z
      .string()
      .min(1)
      .max(MAX_HUNK)
      .startsWith("@@ ")
      .describe(
        "The hunk as the change of the file shows it, from its `@@` line to its last line.",
      ),
    context: z
      .int()
      .min(0)
      .max(100_000)
      .describe("The unchanged lines around each change with which it was requested."),
  })
  .describe("One hunk of a file's change, which must be there exactly as it was shown.");

const changedPaths = {
  path: diffPath,
  from: diffPath.optional().describe("The path that a renamed file had before."),
  hunk: shownHunk.optional().describe("None: the whole file."),
};

export const stagedChange = z
  .strictObject(changedPaths)
  .describe("A file, or a hunk of it, that is put into the index or taken out of it.");
export type StagedChange = z.infer<typeof stagedChange>;

export const revertedChange = z
  .strictObject({ ...changedPaths, against: comparisonName })
  .describe("A file, or a hunk of it, that is to be as it is in what it is compared with.");
export type RevertedChange = z.infer<typeof revertedChange>;

export const undoHandle = z
  .strictObject({ undo: uuidText })
  .describe("What puts back what a revert has changed, byte for byte.");
export type UndoHandle = z.infer<typeof undoHandle>;
