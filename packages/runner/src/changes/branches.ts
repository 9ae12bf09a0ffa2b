import type { BranchSwitch } from "@signalbox/api";
import { runGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { findCommit, findHead } from "./comparison.ts";
import type { Repository } from "./repository.ts";

/** Switches the folder to a branch, which may be new. Nothing that is not committed is lost. */
export async function switchBranch(
  repository: Repository,
  { branch, create, from }: BranchSwitch,
): Promise<void> {
  const { folder } = repository;
  await requireBranchName(folder, branch);
  const start = from === undefined ? undefined : await findCommit(folder, from);
  const ref = `refs/heads/${branch}`;
  const there = await repository.readLine(["rev-parse", "--verify", "--quiet", ref]);
  if (create && there !== undefined) {
    throw new OrderError("branch-exists", `There is already a branch "${branch}".`);
  }
  if (!create && there === undefined) {
    throw new OrderError("no-such-revision", `There is no branch "${branch}".`);
  }
  const target = create ? start : there;
  if (target !== undefined) await requireWritable(repository, target);
  const options = ["--quiet", "--no-guess", "--no-recurse-submodules"];
  const isUnborn = create && start === undefined && (await findHead(folder)) === null;
  const args = isUnborn
    ? ["symbolic-ref", "HEAD", ref]
    : create
      ? ["switch", ...options, "--no-track", "-c", branch, ...(start === undefined ? [] : [start])]
      : ["switch", ...options, branch];
  const { trouble } = await repository.tryGit(args);
  if (trouble !== undefined) throw explainSwitch(trouble);
}

/** Refuses what is no branch name, before it reaches Git as an argument. */
async function requireBranchName(folder: string, branch: string): Promise<void> {
  const args = ["check-ref-format", `refs/heads/${branch}`];
  const isValid =
    !branch.startsWith("-") &&
    branch !== "HEAD" &&
    !branch.includes("\0") &&
    (await runGit(folder, args)).trouble === undefined;
  if (!isValid) throw new OrderError("bad-input", `"${branch}" is not a valid branch name.`);
}

function explainSwitch(trouble: string): OrderError {
  if (/would be overwritten/.test(trouble)) {
    const detail = `Changes that are not committed would be overwritten. Commit or stash them first. Git says: ${trouble}`;
    return new OrderError("would-overwrite", detail);
  }
  if (/cannot switch branch while|needs merge|resolve your current index/.test(trouble)) {
    const detail = `Something is under way in this repository. Finish or abort it first. Git says: ${trouble}`;
    return new OrderError("operation-under-way", detail);
  }
  if (/already (?:checked out|used by worktree)/.test(trouble)) {
    return new OrderError("branch-in-use", `Git says: ${trouble}`);
  }
  return new OrderError("git-failed", `Git failed: ${trouble}`);
}

/**
 * Refuses a commit with files that are hidden, or that would be written through a filter of the repository, which
 * is off.
 */
export async function requireWritable(repository: Repository, commit: string): Promise<void> {
  if (!repository.hasFiltersOff && !repository.isAroundHidden) return;
  const changed = await repository.run(["diff", "--name-only", "-z", "HEAD", commit, "--"]);
  const names = changed.toString().split("\0").filter(Boolean);
  repository.requireVisibleFromTop(names);
  if (!repository.hasFiltersOff) return;
  const attributes = names.filter((name) => /(?:^|\/)\.gitattributes$/.test(name));
  if (attributes.length > 0) {
    throw new OrderError(
      "filter-off",
      `${attributes[0]} differs between the branches, and the repository's own configuration has a filter, which Signalbox does not run. Do this in a shell.`,
    );
  }
  await repository.requireNoFilterFromTop(names);
}
