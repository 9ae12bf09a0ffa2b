/** What becomes of a session's worktree when the session is archived or deleted. */
export const worktrees = {
  title: "This session has a worktree",
  where: (branch: string, folder: string) => `Branch ${branch}, in ${folder}.`,
  noBranch: "(none)",
  nothingLost: "Everything in it is committed, and merged or pushed.",
  changes: (count: number) =>
    count === 1 ? "1 file is not committed." : `${count} files are not committed.`,
  unsaved: (count: number) =>
    count === 1
      ? "1 commit is neither pushed nor merged."
      : `${count} commits are neither pushed nor merged.`,
  ignored: "Removing the worktree also deletes its ignored files. The branch stays.",
  keep: "Keep the worktree",
  merge: (branch: string) => `Merge into ${branch} and remove`,
  remove: "Remove the worktree",
  discard: "Remove, and give up what is not committed",
  needsApprover: "Giving up work takes an approver's device.",
  working: "Removing the worktree…",
  failed: "Couldn't remove the worktree",
} as const;
