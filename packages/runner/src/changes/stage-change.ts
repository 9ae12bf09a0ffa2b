import type { Comparison, StagedChange } from "@signalbox/api";
import { OrderError } from "../supervise/order-error.ts";
import { findHead, resolveComparison } from "./comparison.ts";
import { createPatch, findHunk, splitPatch } from "./hunk.ts";
import { createDiffArguments } from "./diff-arguments.ts";
import { listPaths, type Repository } from "./repository.ts";
import { isUntracked } from "./untracked-file.ts";

type ShownHunk = NonNullable<StagedChange["hunk"]>;

/** Puts a file or a hunk of it into the index. */
export async function stageChange(repository: Repository, change: StagedChange): Promise<void> {
  const paths = listPaths(repository, change);
  await repository.requireNoFilter(paths);
  const patch = change.hunk && (await readShownPatch(repository, change, { kind: "index" }));
  if (!patch) {
    await repository.run(["--literal-pathspecs", "add", "--all", "--", ...paths]);
    return;
  }
  await applyPatch(repository, patch, ["--cached"]);
}

/** Takes a file or a hunk of it out of the index. */
export async function unstageChange(repository: Repository, change: StagedChange): Promise<void> {
  const paths = listPaths(repository, change);
  const patch = change.hunk && (await readShownPatch(repository, change, { kind: "staged" }));
  if (patch) {
    await applyPatch(repository, patch, ["--cached", "--reverse"]);
    return;
  }
  const hasHead = (await findHead(repository.folder)) !== null;
  const args = hasHead
    ? ["restore", "--staged"]
    : ["rm", "--cached", "-f", "-q", "-r", "--ignore-unmatch"];
  await repository.run(["--literal-pathspecs", ...args, "--", ...paths]);
}

interface ShownPatch {
  readonly patch: Buffer;
  readonly context: number;
}

/** The patch of the hunk that was shown. Undefined: Git does not track the file, whose only hunk is all of it. */
export async function readShownPatch(
  repository: Repository,
  change: StagedChange & { readonly hunk?: ShownHunk | undefined },
  against: Comparison,
): Promise<ShownPatch | undefined> {
  const { hunk } = change;
  if (!hunk) return undefined;
  const comparison = await resolveComparison(repository.folder, against);
  const { context } = hunk;
  // Without `--relative`, because `git apply` takes the names of such a patch from the top.
  const args = createDiffArguments({ context, whitespace: "show" });
  const printed = await repository.run(
    [...args, ...comparison.args, "--", ...listPaths(repository, change)],
    {
      settings: { "core.bigFileThreshold": "5m" },
    },
  );
  if (printed.length === 0 && (await isUntracked(repository.folder, change.path))) return undefined;
  const patch = splitPatch(printed);
  const found = findHunk(patch, hunk.text);
  if (found) return { patch: createPatch(patch, found), context };
  throw new OrderError(
    "stale-hunk",
    `This change of ${change.path} is not there any more in this form. Look at the file again.`,
  );
}

export async function applyPatch(
  repository: Repository,
  { patch, context }: ShownPatch,
  options: readonly string[],
): Promise<void> {
  const fixed = ["--whitespace=nowarn", "--no-ignore-whitespace"];
  const zero = context === 0 ? ["--unidiff-zero"] : [];
  await repository.run(["apply", ...fixed, ...zero, ...options, "-"], { input: patch });
}
