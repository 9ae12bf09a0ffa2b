import * as z from "zod";
import { diffPath } from "./changes.ts";

/** Longer messages could not be an argument of Git. */
const MAX_MESSAGE = 20_000;
const MAX_FILES = 2000;

export const commitId = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, "must be the whole id of a commit");
const hooksHash = z.string().regex(/^[0-9a-f]{64}$/, "must be the hash of the shown hooks");

export const branchName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[^-\0]/, "must not begin with - or hold a NUL character")
  .describe("The name of a branch.");

export const commitHook = z
  .object({
    name: z.string().describe("Git's name of it, such as `pre-commit`."),
    path: z.string(),
    text: z.string().describe("Its content, as far as it is shown."),
    cut: z.boolean().describe("`text` is not all of it, or does not show every byte as it is."),
  })
  .describe("A program that Git runs for a commit.");
export type CommitHook = z.infer<typeof commitHook>;

export const commitHooks = z
  .object({
    files: z.array(commitHook),
    hash: z.string().describe("The hash of their contents, with which a commit names them."),
    trusted: z
      .boolean()
      .describe(
        "Whether they may run: an approver has trusted the folder, and nothing of it has changed since.",
      ),
  })
  .describe("What Git would run for a commit in this folder.");
export type CommitHooks = z.infer<typeof commitHooks>;

const lastCommit = z.object({
  id: z.string(),
  message: z.string(),
  author: z.string(),
  at: z.number(),
  pushed: z.boolean().describe("A branch of a remote holds it, as far as this machine knows."),
});

export const stashView = z
  .object({ id: z.string(), message: z.string(), at: z.number() })
  .describe("Changes that were set aside, the newest first in a list.");
export type StashView = z.infer<typeof stashView>;

export const branchView = z
  .object({
    name: z.string(),
    at: z.number().describe("When its last commit was made."),
    upstream: z.string().nullable(),
    folder: z.string().nullable().describe("The worktree in which it is checked out."),
  })
  .describe("A local branch.");
export type BranchView = z.infer<typeof branchView>;

export const repositoryState = z
  .discriminatedUnion("repository", [
    z.object({ repository: z.literal(false), why: z.string() }),
    z.object({
      repository: z.literal(true),
      branch: z.string().nullable().describe("Null for a detached head."),
      upstream: z
        .object({ name: z.string(), ahead: z.number(), behind: z.number() })
        .nullable()
        .describe("The branch that it follows, and how many commits either one lacks."),
      lastCommit: lastCommit.nullable().describe("Null before the first commit."),
      identity: z
        .object({ name: z.string(), email: z.string() })
        .nullable()
        .describe("Whose name a commit bears; null: Git has none, and refuses to commit."),
      signs: z
        .boolean()
        .describe("Git is set up to sign commits. A commit through Signalbox is not signed."),
      hooks: commitHooks.nullable().describe("Null where the repository has none for commits."),
      branches: z.array(branchView).describe("The newest first; not all of many."),
      stashes: z.array(stashView).describe("The newest first; not all of many."),
    }),
  ])
  .describe("Where a session's repository stands: branch, last commit, hooks, stashes.");
export type RepositoryState = z.infer<typeof repositoryState>;

const message = z
  .string()
  .max(MAX_MESSAGE)
  .refine((text) => text.trim() !== "" && !text.includes("\0"), "must say something, without NUL")
  .describe("The message of the commit.");

const committedFile = z.strictObject({
  path: diffPath,
  from: diffPath.optional().describe("The path that a renamed file had before."),
});

export const newCommit = z
  .strictObject({
    message,
    files: z
      .array(committedFile)
      .min(1)
      .max(MAX_FILES)
      .optional()
      .describe(
        "These files as they are now, and nothing else that is staged. None: what is staged.",
      ),
    amend: z.literal(true).optional().describe("Replaces the last commit of the branch."),
    hooks: z
      .union([z.literal("skip"), hooksHash])
      .optional()
      .describe(
        "The hash of the shown hooks: they run, in a trusted folder. `skip`: they do not. Needed where the repository has hooks for commits.",
      ),
  })
  .describe("A commit in a session's repository.");
export type NewCommit = z.infer<typeof newCommit>;

export const createdCommit = z
  .object({
    commit: z.string(),
    branch: z.string().nullable(),
    subject: z.string(),
    files: z.number().describe("How many files it changes."),
    hooks: z.array(z.string()).describe("The names of the hooks with which it was made."),
    output: z.string().describe("What they printed."),
  })
  .describe("A commit that was made.");
export type CreatedCommit = z.infer<typeof createdCommit>;

export const branchSwitch = z
  .strictObject({
    branch: branchName,
    create: z.literal(true).optional().describe("Makes the branch. None: it exists."),
    from: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe("The branch or commit at which a new branch begins; by default the last commit."),
  })
  .refine(({ create, from }) => create || from === undefined, "`from` takes `create`")
  .describe("Another branch for a session's folder.");
export type BranchSwitch = z.infer<typeof branchSwitch>;

export const newStash = z
  .strictObject({
    message: z.string().min(1).max(1000).optional(),
    untracked: z
      .boolean()
      .default(true)
      .describe("Whether files that Git does not track are set aside, too."),
  })
  .describe("Sets aside what is not committed.");
export type NewStash = z.infer<typeof newStash>;

export const stashHandle = z.strictObject({ stash: commitId });
export type StashHandle = z.infer<typeof stashHandle>;

export const appliedStash = z
  .object({
    conflicts: z
      .array(z.string())
      .describe("Files in conflict. If there are any, the stash is still there, too."),
  })
  .describe("What came of putting back a stash.");
export type AppliedStash = z.infer<typeof appliedStash>;
