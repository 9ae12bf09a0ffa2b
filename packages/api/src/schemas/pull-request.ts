import * as z from "zod";
import { branchName, commitId } from "./repository.ts";

const MAX_TITLE = 500;
/** Longer texts could not be an argument of a program. */
const MAX_BODY = 20_000;

const shownText = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !text.includes("\0"), "must not hold a NUL character");

export const remoteView = z
  .object({
    name: z.string(),
    url: z.string().describe("Where a push goes, without a password."),
    problem: z.string().nullable().describe("Why nothing is pushed there; null: it can be."),
    tool: z
      .enum(["gh", "glab"])
      .nullable()
      .describe("The program on that machine with which pull requests are opened there."),
    base: z.string().nullable().describe("Its main branch, as far as this machine knows."),
  })
  .describe("A remote repository.");
export type RemoteView = z.infer<typeof remoteView>;

export const remoteState = z
  .object({
    branch: z.string().nullable(),
    commit: z.string().nullable(),
    remote: z.string().nullable().describe("The remote that the branch follows, or the only one."),
    remotes: z.array(remoteView),
    unpushed: z
      .array(z.object({ id: z.string(), subject: z.string() }))
      .describe("Commits that no remote has, as far as this machine knows; at most 50."),
  })
  .describe("Where the current branch of a session's repository could be pushed.");
export type RemoteState = z.infer<typeof remoteState>;

const target = {
  remote: z.string().min(1).max(255).describe("The name of a remote of the repository."),
  url: z.string().min(1).max(4096).describe("The address as it was shown."),
  branch: branchName,
};

export const newPush = z
  .strictObject({
    ...target,
    commit: commitId.describe("The commit that was shown, which the branch still has to be at."),
    force: z
      .literal(true)
      .optional()
      .describe("Replaces the remote branch, if it is still what this machine last saw of it."),
  })
  .describe("A push of the current branch.");
export type NewPush = z.infer<typeof newPush>;

export const pushResult = z
  .object({
    branch: z.string(),
    commit: z.string(),
    message: z.string().describe("What the remote printed."),
  })
  .describe("A push that arrived.");
export type PushResult = z.infer<typeof pushResult>;

export const newPullRequest = z
  .strictObject({
    ...target,
    base: branchName,
    title: shownText(MAX_TITLE).min(1),
    body: shownText(MAX_BODY).default(""),
    draft: z.literal(true).optional(),
  })
  .describe("A pull request for a branch that has been pushed.");
export type NewPullRequest = z.infer<typeof newPullRequest>;

export const pullRequestPlace = z.object(target);
export type PullRequestPlace = z.infer<typeof pullRequestPlace>;

const check = z.object({
  name: z.string(),
  state: z.enum(["pending", "passed", "failed", "skipped"]),
  url: z.string().nullable(),
});

const reviewComment = z.object({
  author: z.string(),
  at: z.number().nullable(),
  text: z.string(),
  path: z.string().nullable().describe("The file that it is about; null: the whole."),
  line: z.number().nullable(),
  hunk: z.string().nullable().describe("The lines that it is about."),
  url: z.string().nullable(),
});
export type ReviewComment = z.infer<typeof reviewComment>;

export const pullRequest = z
  .object({
    number: z.number(),
    title: z.string(),
    url: z.string(),
    state: z.enum(["open", "merged", "closed"]),
    draft: z.boolean(),
    base: z.string(),
    decision: z.enum(["approved", "changes-requested", "review-required"]).nullable(),
    checks: z.array(check),
    comments: z.array(reviewComment).describe("The oldest first; not all of many."),
  })
  .describe("A pull request, or a merge request, with its checks and review.");
export type PullRequest = z.infer<typeof pullRequest>;
