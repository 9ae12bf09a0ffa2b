import type { Comparison } from "@signalbox/api";
import { askGit, type GitSettings, gitLine, turnOffPrograms } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";

/** Larger files count as binary: their lines are neither compared nor counted. */
const BIG_FILE = "5m";

/** How Git is asked for one comparison in one folder. */
export interface ResolvedComparison {
  /** What is put after `git diff`. */
  readonly args: readonly string[];
  /** The commit that is compared with; null: an empty tree, before the first commit. */
  readonly base: string | null;
  /** Whether files that Git does not track belong to it. */
  readonly withUntracked: boolean;
}

/**
 * Settings with which Git may look into the files of a folder: it runs nothing that the repository brings. The
 * person's own filters, such as Git LFS, run, because without them files differ that have not changed.
 */
export async function readSafeSettings(folder: string): Promise<GitSettings | undefined> {
  const off = await turnOffPrograms(folder);
  return off && { ...off, "core.bigFileThreshold": BIG_FILE, "core.quotePath": "false" };
}

export async function resolveComparison(
  folder: string,
  against: Comparison,
): Promise<ResolvedComparison> {
  switch (against.kind) {
    case "index":
      return { args: [], base: await findHead(folder), withUntracked: true };
    case "staged": {
      const base = await findHead(folder);
      return { args: ["--cached", base ?? (await emptyTree(folder))], base, withUntracked: false };
    }
    case "head":
      return since(folder, await findHead(folder));
    case "time":
      return since(folder, await findCommitBefore(folder, against.at));
    case "commit":
      return since(folder, await findCommit(folder, against.revision));
    default:
      return against satisfies never;
  }
}

async function since(folder: string, base: string | null): Promise<ResolvedComparison> {
  return { args: [base ?? (await emptyTree(folder))], base, withUntracked: true };
}

export async function findHead(folder: string): Promise<string | null> {
  return (await gitLine(folder, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])) ?? null;
}

/** The newest commit of the branch from before this time; null if there is none. */
async function findCommitBefore(folder: string, at: number): Promise<string | null> {
  const before = `--before=${Math.floor(at / 1000)}`;
  const found = await gitLine(folder, ["rev-list", "--max-count=1", before, "HEAD"]);
  return found === undefined || found === "" ? null : found;
}

export async function findCommit(folder: string, revision: string): Promise<string> {
  const name = `${revision}^{commit}`;
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", name];
  const found = await gitLine(folder, args);
  if (found !== undefined && /^[0-9a-f]{40,64}$/.test(found)) return found;
  throw new OrderError("no-such-revision", `There is no branch or commit "${revision}".`);
}

/** The id of an empty tree, which depends on the repository's hash function. */
async function emptyTree(folder: string): Promise<string> {
  const { output, trouble } = await askGit(folder, ["hash-object", "-t", "tree", "/dev/null"]);
  if (trouble !== undefined) throw new OrderError("failed", `Git failed: ${trouble}`);
  return output.trim();
}
