import { join } from "node:path";
import type { Comparison, RevertedChange, UndoHandle } from "@signalbox/api";
import { runGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { resolveComparison, type ResolvedComparison } from "./comparison.ts";
import {
  deleteFile,
  type FileState,
  isSameState,
  readFileState,
  writeFileState,
} from "./file-state.ts";
import { listPaths, type Repository } from "./repository.ts";
import type { RevertedFiles } from "./reverted-files.ts";
import { applyPatch, readShownPatch } from "./stage-change.ts";
import { isUntracked } from "./untracked-file.ts";

type ChangeToRevert = Omit<RevertedChange, "against">;

const SUBMODULE = "160000 ";

/** Makes a file or a hunk of it as it is in what it is compared with. What was there is stored before. */
export async function revertChange(
  repository: Repository,
  reverted: RevertedFiles,
  change: ChangeToRevert,
  against: Comparison,
): Promise<UndoHandle> {
  if (against.kind === "staged") {
    throw new OrderError("bad-input", "What is staged is taken out of the index, not reverted.");
  }
  const { folder } = repository;
  const paths = listPaths(repository, change);
  await repository.requireNoFilter(paths);
  const comparison = await resolveComparison(folder, against);
  const inBase = await listInBase(repository, comparison, paths);
  const index = await readIndex(repository, paths);
  if (index.toString("latin1").includes(SUBMODULE)) {
    throw new OrderError("bad-path", `${change.path} is a submodule, which is not reverted here.`);
  }
  await requireListed(repository, { paths, inBase, index });
  const patch = await readShownPatch(repository, change, against);
  const id = crypto.randomUUID();
  const saved = await reverted.save(id, folder, paths);
  try {
    if (patch) await revertHunk(repository, patch, against);
    else await revertFiles(repository, paths, inBase, comparison, against);
  } catch (failure) {
    await putBack(repository, reverted, id, saved, index);
    await reverted.remove(id);
    throw failure;
  }
  const files = await Promise.all(
    saved.map(async (file) => ({ ...file, after: await readFileState(folder, file.path) })),
  );
  await reverted.record(id, { folder, index: index.toString("base64"), files });
  return { undo: id };
}

/** Puts back what a revert has changed, unless it was changed since. */
export async function undoRevert(
  repository: Repository,
  reverted: RevertedFiles,
  id: string,
): Promise<void> {
  const record = await reverted.read(id, repository.folder);
  for (const { path, after } of record.files) {
    if (isSameState(await readFileState(repository.folder, path), after)) continue;
    throw new OrderError(
      "stale-undo",
      `${path} has changed since it was reverted, so the revert was not undone.`,
    );
  }
  await putBack(repository, reverted, id, record.files, Buffer.from(record.index, "base64"));
  await reverted.remove(id);
}

async function revertHunk(
  repository: Repository,
  patch: NonNullable<Awaited<ReturnType<typeof readShownPatch>>>,
  against: Comparison,
): Promise<void> {
  await applyPatch(repository, patch, ["--reverse"]);
  if (against.kind === "index") return;
  // The index may hold the same change, and then it goes from there, too.
  await applyPatch(repository, patch, ["--cached", "--reverse"]).catch(() => {});
}

async function revertFiles(
  repository: Repository,
  paths: readonly string[],
  inBase: ReadonlySet<string>,
  { base, args }: ResolvedComparison,
  against: Comparison,
): Promise<void> {
  const literal = "--literal-pathspecs";
  const there = paths.filter((path) => inBase.has(path));
  const added = paths.filter((path) => !inBase.has(path));
  const source = against.kind === "index" ? [] : [`--source=${base ?? args.at(-1)}`];
  // Against the last commit a change is gone only if the index does not hold it either.
  const places = against.kind === "head" ? ["--staged", "--worktree"] : ["--worktree"];
  if (there.length > 0) {
    await repository.run([literal, "restore", ...source, ...places, "--", ...there]);
  }
  if (added.length > 0 && against.kind === "head") {
    const forget = ["rm", "--cached", "-f", "-q", "--ignore-unmatch"];
    await repository.run([literal, ...forget, "--", ...added]);
  }
  for (const path of added) await deleteFile(repository.folder, path);
}

/**
 * Refuses files that Git does not list as changed: ignored ones and Git's own, which would be deleted. One that is
 * not there is as good as reverted.
 */
async function requireListed(
  { folder, prefix }: Repository,
  files: {
    readonly paths: readonly string[];
    readonly inBase: ReadonlySet<string>;
    readonly index: Buffer;
  },
): Promise<void> {
  const tracked = files.index.toString();
  for (const path of files.paths) {
    if (files.inBase.has(path) || tracked.includes(`\t${join(prefix, path)}\0`)) continue;
    if (await isUntracked(folder, path)) continue;
    if ((await readFileState(folder, path)).kind === "absent") continue;
    throw new OrderError("bad-path", `Git does not list ${path} as a changed file.`);
  }
}

/** Which of these paths are in what is compared with. */
async function listInBase(
  { folder, prefix }: Repository,
  { base }: ResolvedComparison,
  paths: readonly string[],
  against = base,
): Promise<Set<string>> {
  const args =
    against === null
      ? undefined
      : ["--literal-pathspecs", "ls-tree", "-z", "--name-only", "--full-name", against, "--"];
  const found = args ? await runGit(folder, [...args, ...paths]) : undefined;
  const names = new Set(found?.bytes.toString().split("\0"));
  return new Set(paths.filter((path) => names.has(join(prefix, path))));
}

/** The entries of these paths in the index, as they can be put back. */
async function readIndex(repository: Repository, paths: readonly string[]): Promise<Buffer> {
  const list = ["--literal-pathspecs", "ls-files", "-z", "--stage", "--full-name", "--"];
  return repository.run([...list, ...paths]);
}

async function putBack(
  repository: Repository,
  reverted: RevertedFiles,
  id: string,
  files: readonly { readonly path: string; readonly before: FileState }[],
  index: Buffer,
): Promise<void> {
  const { folder, prefix } = repository;
  for (const [nth, { path, before }] of files.entries()) {
    if (await writeFileState(folder, path, before, reverted.getCopy(id, nth))) continue;
    throw new OrderError("stale-undo", `The folder of ${path} is not there any more.`);
  }
  const format = await repository.readLine(["rev-parse", "--show-object-format"]);
  const none = "0".repeat(format === "sha256" ? 64 : 40);
  const gone = files.map(({ path }) => `0 ${none}\t${join(prefix, path)}\0`).join("");
  const input = Buffer.concat([Buffer.from(gone), index]);
  await repository.run(["update-index", "-z", "--index-info"], { input });
}
