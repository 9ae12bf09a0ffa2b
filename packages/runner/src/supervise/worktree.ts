import { basename, dirname, join, relative } from "node:path";
import { git, gitLine, turnOffPrograms } from "@signalbox/host/git";
import {
  isCreationAllowed,
  createFolderNotAllowed,
  resolveAllowedFolder,
  WORKTREES_SUFFIX,
} from "./allowed-folders.ts";
import { addWorktree, UNKNOWN_PROGRAMS } from "./add-worktree.ts";
import { resolveFolder } from "./folders.ts";
import { OrderError } from "./order-error.ts";

/**
 * Creates a worktree beside the repository of a folder, on an existing branch or on a new branch from the
 * folder's commit. Returns the same folder in the worktree. With `allowed`, both the folder and the worktree
 * have to be below these folders.
 */
export async function makeWorktree(
  named: string,
  branch: string,
  allowed?: readonly string[],
): Promise<{ folder: string }> {
  const folder = allowed ? resolveAllowedFolder(named, allowed) : await resolveFolder(named);
  const root = await gitLine(folder, ["rev-parse", "--show-toplevel"]);
  if (root === undefined || root === "")
    throw createWorktreeError(`${named} is not in a Git repository`);
  if ((await git(folder, ["check-ref-format", "--branch", branch])) === undefined)
    throw createWorktreeError(`"${branch}" is not a valid branch name`);
  if ((await git(folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])) === undefined)
    throw createWorktreeError("the repository has no commits yet");
  const taken = await findCheckout(folder, branch);
  if (taken !== undefined)
    throw createWorktreeError(
      `the branch ${branch} is already checked out in ${taken}. Start the session there`,
    );
  const programsOff = await turnOffPrograms(folder);
  if (programsOff === undefined) throw createWorktreeError(UNKNOWN_PROGRAMS);
  const shared = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const common = await gitLine(folder, shared);
  if (common === undefined) throw createWorktreeError("the path of its Git directory is unknown");
  const path = join(getWorktreeFolder(common, root), branch.replaceAll("/", "-"));
  if (allowed && !isCreationAllowed(path, allowed)) throw createFolderNotAllowed(path, allowed);
  const there = await git(folder, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  const isNewBranch = there === undefined;
  const trouble = await addWorktree({ folder, common, path, branch, isNewBranch, programsOff });
  if (trouble !== undefined) throw createWorktreeError(`Git failed: ${trouble}`);
  return { folder: await resolveFolder(join(path, relative(root, folder))).catch(() => path) };
}

/** The folder beside the main repository, even if the folder is in another worktree. */
function getWorktreeFolder(common: string, root: string): string {
  const main = basename(common) === ".git" ? dirname(common) : root;
  return `${main}${WORKTREES_SUFFIX}`;
}

/** Returns where a branch is checked out, which is possible only once. */
async function findCheckout(folder: string, branch: string): Promise<string | undefined> {
  const listed = (await git(folder, ["worktree", "list", "--porcelain", "-z"])) ?? "";
  const place = listed
    .split("\0\0")
    .find((entry) => entry.split("\0").includes(`branch refs/heads/${branch}`));
  return place?.split("\0")[0]?.replace(/^worktree /, "");
}

function createWorktreeError(why: string): OrderError {
  return new OrderError("no-worktree", `Couldn't create the worktree: ${why}.`);
}
