import * as z from "zod";
import { comparison } from "../schemas/changes.ts";
import { branchSwitch, newCommit, newStash, stashHandle } from "../schemas/repository.ts";
import { newPullRequest, newPush, pullRequestPlace } from "../schemas/pull-request.ts";
import { worktreeMerge, worktreeRemoval } from "../schemas/worktree.ts";
import { revertedChange, stagedChange, undoHandle } from "../schemas/git-actions.ts";

const place = {
  folder: z.string(),
  allowed: z
    .array(z.string())
    .optional()
    .describe(
      "For a driver: the folders of the machine below which the order may be carried out; none: anywhere.",
    ),
};

/** Orders about the files of a session's folder and the repository that it is in. */
export const folderOrders = [
  z
    .object({ kind: z.literal("list-changes"), ...place, against: comparison })
    .describe("What has changed in a folder: `WorkingChanges`."),
  z
    .object({
      kind: z.literal("read-diff"),
      ...place,
      against: comparison,
      path: z.string(),
      from: z.string().optional(),
      context: z.number(),
      whitespace: z.enum(["show", "ignore"]),
    })
    .describe("How one file of a folder has changed: `FileDiff`."),
  z
    .object({ kind: z.literal("stage-change"), ...place, change: stagedChange })
    .describe("Puts a file or a hunk into the index."),
  z
    .object({ kind: z.literal("unstage-change"), ...place, change: stagedChange })
    .describe("Takes a file or a hunk out of the index."),
  z
    .object({
      kind: z.literal("revert-change"),
      ...place,
      against: comparison,
      change: revertedChange.omit({ against: true }),
    })
    .describe("Makes a file or a hunk as it is in what it is compared with: `UndoHandle`."),
  z
    .object({ kind: z.literal("undo-revert"), ...place, ...undoHandle.shape })
    .describe("Puts back what a revert has changed."),
  z
    .object({ kind: z.literal("read-repository"), ...place })
    .describe("Branch, last commit, hooks and stashes of a repository: `RepositoryState`."),
  z
    .object({ kind: z.literal("commit"), ...place, commit: newCommit })
    .describe("Makes a commit: `CreatedCommit`."),
  z
    .object({ kind: z.literal("switch-branch"), ...place, to: branchSwitch })
    .describe("Switches to a branch, which may be new."),
  z
    .object({ kind: z.literal("stash"), ...place, stash: newStash })
    .describe("Sets aside what is not committed: `StashHandle`."),
  z
    .object({ kind: z.literal("unstash"), ...place, ...stashHandle.shape })
    .describe("Puts back what was set aside: `AppliedStash`."),
  z
    .object({ kind: z.literal("list-entries"), ...place, path: z.string() })
    .describe("What is in a folder below the session's: `FolderListing`."),
  z
    .object({ kind: z.literal("read-file"), ...place, path: z.string() })
    .describe("A file below the session's folder: `FileContent`."),
  z
    .object({ kind: z.literal("search-files"), ...place, text: z.string() })
    .describe("The lines of a session's files that hold a text: `ContentMatches`."),
  z
    .object({ kind: z.literal("list-worktrees"), ...place })
    .describe("The folders of a repository: a list of `Worktree`."),
  z
    .object({ kind: z.literal("merge-worktree"), ...place, merge: worktreeMerge })
    .describe("Merges the branch of a worktree into that of the main folder: `MergedWorktree`."),
  z
    .object({ kind: z.literal("remove-worktree"), ...place, removal: worktreeRemoval })
    .describe("Removes a worktree."),
  z
    .object({ kind: z.literal("read-remote"), ...place })
    .describe("Where the current branch could be pushed: `RemoteState`."),
  z
    .object({ kind: z.literal("push"), ...place, push: newPush })
    .describe("Pushes the current branch with the person's credentials: `PushResult`."),
  z
    .object({ kind: z.literal("create-pull-request"), ...place, request: newPullRequest })
    .describe("Opens a pull request through `gh` or `glab`: `PullRequest`."),
  z
    .object({ kind: z.literal("read-pull-request"), ...place, of: pullRequestPlace })
    .describe("The pull request of a branch: `{found}`, a `PullRequest` or null."),
] as const;

type FolderOrderSchema = (typeof folderOrders)[number];
export type FolderOrder = z.infer<FolderOrderSchema>;
export type FolderOrderOfKind<K extends FolderOrder["kind"]> = Extract<FolderOrder, { kind: K }>;

const kinds: ReadonlySet<string> = new Set(folderOrders.map(({ shape }) => shape.kind.value));

/** Whether an order is about the files of a folder. */
export function isFolderOrder(order: { readonly kind: string }): order is FolderOrder {
  return kinds.has(order.kind);
}
