import { mkdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { askGit, git, type GitSettings, settingNames } from "@signalbox/host/git";
import {
  isCreationAllowed,
  createFolderNotAllowed,
  resolveAllowedFolder,
  WORKTREES_SUFFIX,
} from "./allowed-folders.ts";
import { resolveFolder } from "./folders.ts";
import { OrderError } from "./order-error.ts";

/**
 * A worktree of the repository that a folder belongs to, beside the repository, on a branch of that name:
 * one that is there, or a new one from where the folder stands. Answers with the same folder in it.
 * With `allowed`: both the folder and the worktree have to be below these.
 */
export async function makeWorktree(
  named: string,
  branch: string,
  allowed?: readonly string[],
): Promise<{ folder: string }> {
  const folder = allowed ? resolveAllowedFolder(named, allowed) : await resolveFolder(named);
  const root = (await git(folder, ["rev-parse", "--show-toplevel"]))?.trimEnd();
  if (root === undefined || root === "")
    throw createWorktreeError(`${named} is in no Git repository`);
  if ((await git(folder, ["check-ref-format", "--branch", branch])) === undefined)
    throw createWorktreeError(`"${branch}" is no name for a branch`);
  if ((await git(folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])) === undefined)
    throw createWorktreeError("the repository has no commit yet");
  const taken = await findCheckout(folder, branch);
  if (taken !== undefined)
    throw createWorktreeError(
      `the branch ${branch} is checked out in ${taken}: begin the session there`,
    );
  const path = join(await getWorktreeFolder(folder, root), branch.replaceAll("/", "-"));
  if (allowed && !isCreationAllowed(path, allowed)) throw createFolderNotAllowed(path, allowed);
  await mkdir(dirname(path), { recursive: true }).catch((failure: Error) => {
    throw createWorktreeError(`${dirname(path)} cannot be made (${failure.message})`);
  });
  const there = await git(folder, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
  const [made, which] = there === undefined ? [["-b", branch], [path]] : [[], [path, branch]];
  // Files are checked out in a step of its own: only in the new worktree does Git tell which settings count there.
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
    if (there === undefined) await git(folder, ["branch", "-D", "--end-of-options", branch]); // Git made it before it failed
    throw createWorktreeError(`Git says: ${trouble}`);
  }
  return { folder: await resolveFolder(join(path, relative(root, folder))).catch(() => path) };
}

/** Beside the main repository, also when the folder is in a worktree of it. */
async function getWorktreeFolder(folder: string, root: string): Promise<string> {
  const shared = await git(folder, ["rev-parse", "--path-format=absolute", "--git-common-dir"]);
  const common = shared?.trimEnd() ?? "";
  const main = basename(common) === ".git" ? dirname(common) : root;
  return `${main}${WORKTREES_SUFFIX}`;
}

async function checkOut(path: string): Promise<{ trouble?: string }> {
  const settings = await readInertSettings(path);
  return askGit(path, ["reset", "--quiet", "--hard", "--no-recurse-submodules"], settings);
}

/** Programs that the repository itself names do not run on its files; the person's own, such as LFS, do. */
async function readInertSettings(folder: string): Promise<GitSettings> {
  const filters = await settingNames(folder, "^filter\\..*\\.(clean|smudge|process)$");
  const hooks = await settingNames(folder, "^hook\\..*\\.(command|event)$"); // from Git 2.54 on
  const entries = [
    ...filters.flatMap((name) => [
      [name, ""],
      [name.replace(/\w+$/, "required"), "false"],
    ]),
    ...hooks.map((name) => [name.replace(/\w+$/, "enabled"), "false"]),
  ];
  return Object.fromEntries(entries) as GitSettings;
}

/** Where a branch is checked out; it can be so only once. */
async function findCheckout(folder: string, branch: string): Promise<string | undefined> {
  const listed = (await git(folder, ["worktree", "list", "--porcelain", "-z"])) ?? "";
  const place = listed
    .split("\0\0")
    .find((entry) => entry.split("\0").includes(`branch refs/heads/${branch}`));
  return place?.split("\0")[0]?.replace(/^worktree /, "");
}

function createWorktreeError(why: string): OrderError {
  return new OrderError("no-worktree", `No worktree was made: ${why}.`);
}
