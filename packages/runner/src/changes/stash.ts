import type { AppliedStash, NewStash, StashHandle, StashView } from "@signalbox/api";
import { OrderError } from "../supervise/order-error.ts";
import { findHead } from "./comparison.ts";
import { parseNames } from "./parse-changes.ts";
import type { Repository } from "./repository.ts";

const MAX_LISTED = 50;

/** Sets aside what is not committed in the whole work tree. */
export async function stashChanges(
  repository: Repository,
  { message, untracked }: NewStash,
): Promise<StashHandle> {
  if ((await findHead(repository.folder)) === null) {
    const detail = "The repository has no commits yet, so nothing can be stashed.";
    throw new OrderError("nothing-to-stash", detail);
  }
  if (untracked && repository.isAroundHidden) {
    const detail =
      "This repository is around files that are hidden from sessions, which could be stashed, too. Stash without files that Git does not track.";
    throw new OrderError("bad-path", detail);
  }
  await requireNoFilterOfChanges(repository, untracked);
  const before = await readStashIds(repository);
  const options = [
    "--quiet",
    ...(untracked ? ["--include-untracked"] : []),
    ...(message === undefined ? [] : [`--message=${message}`]),
  ];
  const { trouble } = await repository.tryGit(["stash", "push", ...options]);
  if (trouble !== undefined) throw explain(trouble);
  const [newest] = await readStashIds(repository);
  if (newest !== undefined && newest !== before[0]) return { stash: newest };
  throw new OrderError("nothing-to-stash", "There is nothing that is not committed.");
}

/** Puts back what was set aside. It is forgotten only if everything went back without a conflict. */
export async function applyStash(
  repository: Repository,
  { stash }: StashHandle,
): Promise<AppliedStash> {
  await requireStash(repository, stash);
  await requireWritable(repository, stash);
  const apply = (options: readonly string[]) =>
    repository.tryGit(["stash", "apply", "--quiet", ...options, stash]);
  const withIndex = await apply(["--index"]);
  // What was staged cannot always be staged again; the files can still be put back.
  const isIndexInConflict = /conflicts? in index|--index/i.test(withIndex.trouble ?? "");
  const { trouble } = isIndexInConflict ? await apply([]) : withIndex;
  const unmerged = await repository.run(["diff", "--name-only", "--diff-filter=U", "-z"]);
  const conflicts = parseNames(unmerged).map(({ path }) => path);
  if (trouble !== undefined && conflicts.length === 0) throw explain(trouble);
  if (trouble === undefined) await dropStash(repository, stash);
  return { conflicts };
}

export async function listStashes(
  read: (args: readonly string[]) => Promise<Buffer>,
): Promise<StashView[]> {
  const format = ["--format=%H%x00%ct%x00%gs", "-z", `--max-count=${MAX_LISTED}`];
  const fields = (await read(["stash", "list", ...format])).toString().split("\0");
  const stashes: StashView[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [id = "", seconds = "", message = ""] = fields.slice(at, at + 3);
    stashes.push({ id: id.trim(), at: Number(seconds) * 1000, message });
  }
  return stashes;
}

/** The number of a stash changes when another one is made, so it is looked up right before it is dropped. */
async function dropStash(repository: Repository, stash: string): Promise<void> {
  const at = (await readStashIds(repository)).indexOf(stash);
  if (at !== -1) await repository.run(["stash", "drop", "--quiet", `stash@{${at}}`]);
}

async function requireStash(repository: Repository, stash: string): Promise<void> {
  if ((await readStashIds(repository)).includes(stash)) return;
  throw new OrderError("no-such-stash", "This stash is not there any more.");
}

async function readStashIds(repository: Repository): Promise<string[]> {
  const printed = await repository.run(["stash", "list", "--format=%H"]);
  return printed.toString().split("\n").filter(Boolean);
}

async function requireNoFilterOfChanges(repository: Repository, untracked: boolean): Promise<void> {
  if (!repository.hasFiltersOff) return;
  const tracked = await repository.run(["diff", "--name-only", "-z", "HEAD", "--"]);
  const others = ["ls-files", "-z", "--others", "--exclude-standard", "--full-name", ":/"];
  const rest = untracked ? await repository.run(others) : Buffer.alloc(0);
  await repository.requireNoFilterFromTop(splitNames(Buffer.concat([tracked, rest])));
}

async function requireWritable(repository: Repository, stash: string): Promise<void> {
  if (!repository.hasFiltersOff && !repository.isAroundHidden) return;
  const args = ["stash", "show", "--include-untracked", "--name-only", "-z", stash];
  const names = splitNames(await repository.run(args));
  repository.requireVisibleFromTop(names);
  await repository.requireNoFilterFromTop(names);
}

const splitNames = (printed: Buffer) => printed.toString().split("\0").filter(Boolean);

function explain(trouble: string): OrderError {
  if (/would be overwritten|already exists, no checkout|could not restore/i.test(trouble)) {
    const detail = `Files that are not committed would be overwritten. Commit or stash them first. Git says: ${trouble}`;
    return new OrderError("would-overwrite", detail);
  }
  if (/needs merge|unmerged/i.test(trouble)) {
    const detail = `There are conflicts that are not resolved. Git says: ${trouble}`;
    return new OrderError("operation-under-way", detail);
  }
  return new OrderError("git-failed", `Git failed: ${trouble}`);
}
