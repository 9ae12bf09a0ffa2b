import { git } from "@signalbox/host/git";
import { resolveAllowedFolder } from "./allowed-folders.ts";
import { resolveFolder } from "./folders.ts";

/** The Git branch that is checked out in a folder. There is none outside of a repository and on a bare commit. */
export async function readBranch(
  named: string,
  allowed?: readonly string[],
): Promise<{ branch?: string }> {
  const folder = allowed ? resolveAllowedFolder(named, allowed) : await resolveFolder(named);
  const branch = (await git(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]))?.trimEnd();
  return branch === undefined || branch === "" ? {} : { branch };
}
