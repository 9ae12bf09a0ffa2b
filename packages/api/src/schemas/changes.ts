import * as z from "zod";
import { filePath } from "./values.ts";

/** What the files of a folder are compared with. */
export const comparison = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("head") }).describe("The last commit: all that is not committed."),
    z.object({ kind: z.literal("index") }).describe("The index: all that is not staged."),
    z.object({ kind: z.literal("staged") }).describe("The last commit with the index."),
    z
      .object({ kind: z.literal("time"), at: z.number() })
      .describe("The last commit before this time."),
    z
      .object({ kind: z.literal("commit"), revision: z.string().min(1).max(500) })
      .describe("A branch or commit."),
  ])
  .describe("What the files of a folder are compared with.");
export type Comparison = z.infer<typeof comparison>;

export const changedFile = z
  .object({
    path: z.string().describe("From the session's folder. Bytes that are not UTF-8 are `\\xNN`."),
    from: z.string().optional().describe("The path that it had before."),
    status: z.enum(["added", "modified", "deleted", "renamed", "untracked", "conflict"]),
    added: z.number().nullable().describe("Lines; null for a file that is not text."),
    removed: z.number().nullable(),
    staged: z.boolean().describe("The index holds a change of it."),
    unstaged: z.boolean().describe("The file holds a change that the index does not."),
    mode: z
      .object({ from: z.string(), to: z.string() })
      .optional()
      .describe("Git's file modes, if they differ, such as `100644` and `100755`."),
    submodule: z.literal(true).optional(),
    unreadableName: z
      .literal(true)
      .optional()
      .describe("Its name is not valid UTF-8, so that its change cannot be requested."),
  })
  .describe("A file that has changed.");
export type ChangedFile = z.infer<typeof changedFile>;

export const workingChanges = z
  .discriminatedUnion("repository", [
    z
      .object({ repository: z.literal(false), why: z.string() })
      .describe("The folder is in no Git repository, or Git cannot be used there."),
    z.object({
      repository: z.literal(true),
      branch: z.string().nullable().describe("Null for a detached head."),
      head: z.string().nullable().describe("Null before the first commit."),
      base: z.string().nullable().describe("The commit that is compared with."),
      operation: z
        .enum(["merge", "rebase", "cherry-pick", "revert", "bisect"])
        .optional()
        .describe("What is under way in the repository."),
      branches: z.array(z.string()).describe("Local branches, the newest first; not all of many."),
      files: z.array(changedFile),
      more: z.number().describe("How many further files have changed."),
    }),
  ])
  .describe("What has changed in a session's folder, whoever changed it.");
export type WorkingChanges = z.infer<typeof workingChanges>;

export const fileDiff = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("text"),
      patch: z.string().describe("Hunks as `git diff` prints them."),
      cut: z.boolean().describe("The patch is too long and ends after a whole line."),
    }),
    z.object({ kind: z.literal("binary"), bytes: z.number().nullable() }),
    z.object({
      kind: z.literal("submodule"),
      from: z.string().nullable(),
      to: z.string().nullable(),
    }),
    z.object({ kind: z.literal("none") }).describe("The file has not changed, or not any more."),
  ])
  .describe("How one file has changed.");
export type FileDiff = z.infer<typeof fileDiff>;

/** How a request names a comparison. */
export const comparisonName = z
  .string()
  .max(500)
  .regex(
    /^(?:head|index|staged|start|commit:.+)$/u,
    "must be head, index, staged, start, or commit: and a branch or commit",
  )
  .default("head")
  .describe(
    "`head`: all that is not committed; `index`: what is not staged; `staged`; `start`: since the session began; `commit:NAME`: since that branch or commit.",
  );

export const diffPath = filePath
  .refine((path) => !path.includes("\0"), "must not hold a NUL character")
  .describe("The file's path from the session's folder.");
