import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { MergedWorktree, WorktreeMerge, WorktreeRemoval, WorktreeView } from "@signalbox/api";
import { decodeStrictly, gitLine, listHiddenFromGit, runGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { requireWritable } from "./branches.ts";
import { readSafeSettings } from "./comparison.ts";
import { isHidden } from "./open-visible.ts";
import { findOperation } from "./operation.ts";
import { openRepository, type Repository } from "./repository.ts";

const MAX_WORKTREES = 100;

type Allowed = readonly string[] | undefined;

/** The folders of a session's repository: its own and its worktrees. */
export async function listWorktrees({ folder, top }: Repository): Promise<WorktreeView[]> {
  const { bytes } = await runGit(folder, ["worktree", "list", "--porcelain", "-z"]);
  const entries = (decodeStrictly(bytes) ?? "").split("\0\0").filter(Boolean);
  const places = entries.slice(0, MAX_WORKTREES).map((entry, nth) => {
    const fields = entry.split("\0").filter(Boolean);
    const find = (name: string) =>
      fields.find((field) => field.startsWith(`${name} `))?.slice(name.length + 1);
    const head = find("HEAD");
    return {
      folder: find("worktree") ?? "",
      main: nth === 0,
      branch: find("branch")?.replace(/^refs\/heads\//, "") ?? null,
      head: head === undefined || /^0+$/.test(head) ? null : head,
    };
  });
  const main = places[0]?.head ?? null;
  return Promise.all(
    places.map(async (place) => ({
      ...place,
      current: place.folder === top,
      ...(await readState(place, main)),
    })),
  );
}

/** Merges the branch of a worktree into that of the main folder. With a conflict nothing is changed. */
export async function mergeWorktree(
  repository: Repository,
  { folder, head }: WorktreeMerge,
  allowed: Allowed,
): Promise<MergedWorktree> {
  const { found, main } = await requireWorktree(repository, { folder, head });
  if (found.changes > 0) {
    const detail = `The worktree holds ${count(found.changes, "file that is", "files that are", "not committed")}. Commit first.`;
    throw new OrderError("unsaved-work", detail);
  }
  if (found.operation !== undefined || main.operation !== undefined) {
    const detail = "Something is under way in the worktree or in the main folder. Finish it first.";
    throw new OrderError("operation-under-way", detail);
  }
  if (main.branch === null || found.branch === null) {
    throw new OrderError("bad-input", "No branch is checked out there, so nothing can be merged.");
  }
  const target = await openRepository({ folder: main.folder, allowed });
  await requireWritable(target, head);
  const message = `Merge branch '${found.branch}'`;
  const options = ["--quiet", "--no-verify", "--no-gpg-sign", "--no-edit", "--no-autostash"];
  const merged = await target.tryGit(["merge", ...options, `--message=${message}`, head]);
  if (merged.trouble !== undefined) {
    const unmerged = await target.run(["diff", "--name-only", "--diff-filter=U", "-z"]);
    const files = unmerged.toString().split("\0").filter(Boolean);
    if (findOperation(target.gitFolder) === "merge") await target.run(["merge", "--abort"]);
    throw explainMerge(merged.trouble, files);
  }
  return { into: main.branch, commit: (await target.readLine(["rev-parse", "HEAD"])) ?? head };
}

/** Removes a worktree. Work that is nowhere else is lost only if it was shown and given up. */
export async function removeWorktree(
  repository: Repository,
  removal: WorktreeRemoval,
  allowed: Allowed,
): Promise<void> {
  const { folder, head, deleteBranch, discard } = removal;
  const { found, main } = await requireWorktree(repository, { folder, head });
  // Without its branch the commits of a worktree are reachable from nowhere.
  const isLosing = deleteBranch === true || found.branch === null;
  const lost = { changes: found.changes, unsaved: isLosing ? found.unsaved : 0 };
  requireAgreed(lost, discard);
  const target = await openRepository({ folder: main.folder, allowed });
  if (existsSync(folder)) {
    await openRepository({ folder, allowed });
    if (isHidden(folder, listHiddenFromGit())) {
      throw new OrderError("bad-path", `${folder} holds what is hidden from sessions.`);
    }
    const args = ["worktree", "remove", ...(discard ? ["--force"] : []), "--", folder];
    const writable = [target.top, target.common, dirname(folder)];
    await target.run(args, { writable });
  } else {
    await target.run(["worktree", "prune"]);
  }
  if (deleteBranch && found.branch !== null) {
    // Only the commit that was shown: another program may have added to it.
    await target.run(["update-ref", "-d", `refs/heads/${found.branch}`, head ?? ""]);
  }
}

function requireAgreed(
  lost: { readonly changes: number; readonly unsaved: number },
  discard: WorktreeRemoval["discard"],
): void {
  const isNothing = lost.changes === 0 && lost.unsaved === 0;
  const isAgreed = discard?.changes === lost.changes && discard.unsaved >= lost.unsaved;
  if (isNothing || isAgreed) return;
  const parts = [
    ...(lost.changes > 0
      ? [count(lost.changes, "file that is", "files that are", "not committed")]
      : []),
    ...(lost.unsaved > 0
      ? [count(lost.unsaved, "commit that is", "commits that are", "nowhere else")]
      : []),
  ];
  const detail = `The worktree holds ${parts.join(" and ")}. It was not removed.`;
  throw new OrderError("unsaved-work", detail);
}

async function requireWorktree(
  repository: Repository,
  shown: { readonly folder: string; readonly head: string | null },
): Promise<{ found: WorktreeView; main: WorktreeView }> {
  const all = await listWorktrees(repository);
  const main = all.find((one) => one.main);
  const found = all.find(({ folder }) => folder === shown.folder);
  if (!main || !found) {
    throw new OrderError("no-such-worktree", `${shown.folder} is no worktree of this repository.`);
  }
  if (found.main) {
    const detail = `${shown.folder} is the repository itself, not a worktree of it.`;
    throw new OrderError("no-such-worktree", detail);
  }
  if (found.head === shown.head) return { found, main };
  throw new OrderError("stale-worktree", "The worktree has other commits now. Look at it again.");
}

async function readState(
  { folder, head }: Pick<WorktreeView, "folder" | "head">,
  main: string | null,
): Promise<Pick<WorktreeView, "missing" | "changes" | "unsaved" | "operation">> {
  const gitFolder = existsSync(folder)
    ? await gitLine(folder, ["rev-parse", "--absolute-git-dir"])
    : undefined;
  if (gitFolder === undefined) return { missing: true, changes: 0, unsaved: 0 };
  const operation = findOperation(gitFolder);
  const unsaved = head === null ? 0 : await countUnsaved(folder, head, main);
  return {
    missing: false,
    changes: await countChanges(folder),
    unsaved,
    ...(operation && { operation }),
  };
}

async function countChanges(folder: string): Promise<number> {
  const settings = await readSafeSettings(folder);
  const args = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"];
  const { bytes, trouble } = settings
    ? await runGit(folder, args, settings)
    : { bytes: Buffer.alloc(0), trouble: "its configuration cannot be used" };
  if (trouble !== undefined) throw new OrderError("git-failed", `Git failed: ${trouble}`);
  return bytes.toString("latin1").split("\0").filter(Boolean).length;
}

async function countUnsaved(folder: string, head: string, main: string | null): Promise<number> {
  const others = main === null || main === head ? [] : [main];
  if (main === head) return 0;
  const args = ["rev-list", "--count", head, "--not", "--remotes", ...others];
  return Number(await gitLine(folder, args)) || 0;
}

function count(number: number, one: string, many: string, what: string): string {
  return `${number} ${number === 1 ? one : many} ${what}`;
}

function explainMerge(trouble: string, files: readonly string[]): OrderError {
  if (files.length > 0) {
    const detail = `These files are in conflict, so nothing was merged: ${files.slice(0, 20).join(", ")}. Merge in the worktree first, for example by asking the agent.`;
    return new OrderError("merge-conflict", detail);
  }
  if (/would be overwritten/.test(trouble)) {
    const detail = `The main folder has changes that are not committed and would be overwritten. Git says: ${trouble}`;
    return new OrderError("would-overwrite", detail);
  }
  return new OrderError("git-failed", `Git failed: ${trouble}`);
}
