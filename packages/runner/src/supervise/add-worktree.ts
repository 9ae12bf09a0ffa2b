import { mkdir, realpath, rmdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { askGit, type GitSettings, turnOffPrograms } from "@signalbox/host/git";

export const UNKNOWN_PROGRAMS =
  "a filter or hook in the repository's Git configuration cannot be turned off, because its name is not valid UTF-8 or the configuration cannot be read. Correct it with `git config --edit`";

interface NewWorktree {
  /** A folder of the repository. */
  readonly folder: string;
  /** The Git directory that all worktrees of the repository share. */
  readonly common: string;
  readonly path: string;
  readonly branch: string;
  readonly isNewBranch: boolean;
  /** Settings that turn off the programs of the repository. */
  readonly programsOff: GitSettings;
}

/**
 * Adds a worktree and checks out its files. Git can write only in the Git directory and in the worktree: an agent
 * may change the configuration meanwhile, and what Git then runs must not write where that agent cannot. Returns
 * what went wrong; nothing is left behind then.
 */
export async function addWorktree(worktree: NewWorktree): Promise<string | undefined> {
  const { folder, common, path, branch, isNewBranch, programsOff } = worktree;
  const isOurs = await makeFolder(path); // what can be written has to exist
  if (typeof isOurs === "string") return isOurs;
  const run = (at: string, args: readonly string[], settings: GitSettings) =>
    askGit(at, args, settings, [common, path]);
  // Files are checked out in a separate step, because Git reports the settings of a worktree only inside of it.
  const which = isNewBranch
    ? ["-b", branch, "--end-of-options", path]
    : ["--end-of-options", path, branch];
  const added = await run(
    folder,
    ["worktree", "add", "--quiet", "--no-checkout", ...which],
    programsOff,
  );
  const trouble = added.trouble ?? (await checkOut());
  if (trouble === undefined) return undefined;
  if (added.trouble === undefined)
    await run(folder, ["worktree", "remove", "--force", path], programsOff);
  if (isNewBranch) await run(folder, ["branch", "-D", "--end-of-options", branch], programsOff); // Git created the branch before it failed
  if (isOurs) await rmdir(path).catch(() => {}); // Git has removed it where it is not isolated
  return trouble;

  async function checkOut(): Promise<string | undefined> {
    const offInside = await turnOffPrograms(path);
    if (offInside === undefined) return UNKNOWN_PROGRAMS;
    // What was set up for either step is off, even if it is not set up any more when Git starts.
    const off = { ...programsOff, ...offInside };
    return (await run(path, ["reset", "--quiet", "--hard", "--no-recurse-submodules"], off))
      .trouble;
  }
}

/** Whether the folder was created here; otherwise something exists there. A string says why it cannot be used. */
async function makeFolder(path: string): Promise<boolean | string> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const parent = await realpath(dirname(path));
    const isOurs = await mkdir(path).then(
      () => true,
      () => false,
    );
    if ((await realpath(path)) === join(parent, basename(path))) return isOurs;
    return `${path} is a link`;
  } catch (failure) {
    return `${path} cannot be created (${(failure as Error).message})`;
  }
}
