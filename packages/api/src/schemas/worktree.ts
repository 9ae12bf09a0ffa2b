import * as z from "zod";
import { filePath } from "./values.ts";
import { commitId } from "./repository.ts";

const worktreeFolder = filePath
  .refine((path) => path.startsWith("/") && !path.includes("\0"), "must be an absolute path")
  .describe("The worktree's folder as it was listed.");

export const worktreeView = z
  .object({
    folder: z.string(),
    main: z.boolean().describe("The repository's own folder, which stays."),
    current: z.boolean().describe("The session's folder is in it."),
    branch: z.string().nullable(),
    head: z.string().nullable(),
    missing: z.boolean().describe("Its folder is not there any more."),
    changes: z.number().describe("Files that are not committed, untracked ones too."),
    unsaved: z
      .number()
      .describe("Commits that neither a remote nor the branch of the main folder has."),
    operation: z.string().optional().describe("What is under way in it, such as a merge."),
  })
  .describe("A folder of a repository with a branch of its own.");
export type WorktreeView = z.infer<typeof worktreeView>;

export const worktreeMerge = z
  .strictObject({ folder: worktreeFolder, head: commitId })
  .describe(
    "Merges a worktree's branch, at the commit that was shown, into that of the main folder.",
  );
export type WorktreeMerge = z.infer<typeof worktreeMerge>;

export const mergedWorktree = z
  .object({
    into: z.string().describe("The branch that now has the commits."),
    commit: z.string(),
  })
  .describe("A worktree whose branch was merged.");
export type MergedWorktree = z.infer<typeof mergedWorktree>;

export const worktreeRemoval = z
  .strictObject({
    folder: worktreeFolder,
    head: commitId.nullable(),
    deleteBranch: z.literal(true).optional().describe("Deletes its branch, too."),
    discard: z
      .strictObject({ changes: z.int().min(0), unsaved: z.int().min(0) })
      .optional()
      .describe(
        "What would be lost, as it was listed: files that are not committed, and, with `deleteBranch`, commits that are nowhere else. Without it, a worktree that holds such work stays.",
      ),
  })
  .describe("Removes a worktree.");
export type WorktreeRemoval = z.infer<typeof worktreeRemoval>;
