import { mkdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { askGit, git, gitLine, turnOffPrograms } from "@signalbox/host/git";
import {
  isCreationAllowed,
  createFolderNotAllowed,
  resolveAllowedFolder,
  WORKTREES_SUFFIX,
} from "./allowed-folders.ts";
import { resolveFolder } from "./folders.ts";
import { OrderError } from "./order-error.ts";

const UNKNOWN_PROGRAMS =
  "a filter or hook in the repository's Git configuration cannot be turned off, because its name is not valid UTF-8 or the configuration cannot be read. Correct it with `git config --edit`";

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
  if ((await turnOffPrograms(folder)) === undefined) throw createWorktreeError(UNKNOWN_PROGRAMS);
  const path = join(await getWorktreeFolder(folder, root), branch.replaceAll("/", "-"));
  if (allowed && !isCreationAllowed(path, allowed)) throw createFolderNotAllowed(path, allowed);
  await mkdir(dirname(path), { recursive: true }).catch((failure: Error) => {
    throw createWorktreeError(`${dirname(path)} cannot be created (${failure.message})`);
  });
  const there = await git(folder, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  const [made, which] = there === undefined ? [["-b", branch], [path]] : [[], [path, branch]];
  // Files are checked out in a separate step, because Git reports the settings of a worktree only inside of it.
  const add = [
    "worktree",
    "add",
    "--quiet",
    "--no-checkout",
    ...made,
    "--end-of-options",
    ...which,
  ];
  const added = await askGit(folder, add);
  const { trouble } = added.trouble === undefined ? await checkOut(path) : added;
  if (trouble !== undefined) {
    if (added.trouble === undefined) await git(folder, ["worktree", "remove", "--force", path]);
    if (there === undefined) await git(folder, ["branch", "-D", "--end-of-options", branch]); // Git created the branch before it failed
    throw createWorktreeError(`Git failed: ${trouble}`);
  }
  return { folder: await resolveFolder(join(path, relative(root, folder))).catch(() => path) };
}

/** The folder beside the main repository, even if the folder is in another worktree. */
async function getWorktreeFolder(folder: string, root: string): Promise<string> {
  const shared = ["rev-parse", "--path-format=absolute", "--git-common-dir"];
  const common = (await gitLine(folder, shared)) ?? "";
  const main = basename(common) === ".git" ? dirname(common) : root;
  return `${main}${WORKTREES_SUFFIX}`;
}

async function checkOut(path: string): Promise<{ trouble?: string }> {
  // The person's own filters, such as Git LFS, are used.
  const programsOff = await turnOffPrograms(path);
  if (programsOff === undefined) return { trouble: UNKNOWN_PROGRAMS };
  return askGit(path, ["reset", "--quiet", "--hard", "--no-recurse-submodules"], programsOff);
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
