import { existsSync } from "node:fs";
import { join } from "node:path";

const operations = [
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
] as const;

/** What is under way in a repository, by its Git directory. */
export function findOperation(gitFolder: string) {
  return operations.find(([file]) => existsSync(join(gitFolder, file)))?.[1];
}
