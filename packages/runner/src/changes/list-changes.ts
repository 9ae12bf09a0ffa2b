import { join } from "node:path";
import type { ChangedFile, Comparison, WorkingChanges } from "@signalbox/api";
import {
  askGit,
  type GitSettings,
  git,
  gitLine,
  listHiddenFromGit,
  runGit,
} from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { resolveFolder } from "../supervise/folders.ts";
import { findHead, readSafeSettings, resolveComparison } from "./comparison.ts";
import { findOperation } from "./operation.ts";
import { type DiffedFile, parseDiff, parseNames } from "./parse-changes.ts";
import { type HiddenPaths, isHidden } from "./open-visible.ts";
import { countLines } from "./untracked-file.ts";

/** Files that are listed; further ones are counted. */
const MAX_FILES = 2000;
/** Files that Git does not track whose lines are counted. */
const MAX_COUNTED = 300;
const MAX_BRANCHES = 100;

/** What has changed in a folder, whoever changed it. */
export async function listChanges(named: string, against: Comparison): Promise<WorkingChanges> {
  const folder = await resolveFolder(named);
  const inside = await askGit(folder, ["rev-parse", "--is-inside-work-tree"]);
  if (inside.output.trim() !== "true") return { repository: false, why: describeAbsence(inside) };
  const settings = await readSafeSettings(folder);
  if (settings === undefined) {
    return {
      repository: false,
      why: "A filter or hook in the repository's Git configuration cannot be turned off, so Git is not used here.",
    };
  }
  const comparison = await resolveComparison(folder, against);
  const [diffed, staged, unstaged, conflicts, untracked] = await Promise.all([
    diff(folder, ["--raw", "--numstat", ...comparison.args], settings),
    diff(folder, ["--name-only", "--cached"], settings),
    diff(folder, ["--name-only"], settings),
    diff(folder, ["--name-only", "--diff-filter=U"], settings),
    comparison.withUntracked ? listUntracked(folder, settings) : [],
  ]);
  const stagedPaths = new Set(parseNames(staged).map(({ path }) => path));
  const unstagedPaths = new Set(parseNames(unstaged).map(({ path }) => path));
  const conflictPaths = new Set(parseNames(conflicts).map(({ path }) => path));
  const tracked = parseDiff(diffed).map((file): ChangedFile => ({
    ...file,
    ...(conflictPaths.has(file.path) && { status: "conflict" as const }),
    staged: stagedPaths.has(file.path),
    unstaged: unstagedPaths.has(file.path),
  }));
  const hidden = listHiddenFromGit();
  const visible = untracked.filter(({ path }) => !isHidden(join(folder, path), hidden));
  const files = [...tracked, ...visible].toSorted((a, b) => compare(a.path, b.path));
  return {
    repository: true,
    ...(await describeRepository(folder)),
    base: comparison.base,
    files: await Promise.all(files.slice(0, MAX_FILES).map(countUntracked(folder, hidden))),
    more: Math.max(0, files.length - MAX_FILES),
  };
}

function describeAbsence({ output, trouble }: { output: string; trouble?: string }): string {
  if (output.trim() === "false") return "This is a bare repository, which has no files.";
  if (trouble?.includes("ENOENT") === true) return "Git is not installed on this machine.";
  if (trouble?.includes("not a git repository") === true) {
    return "This folder is not in a Git repository.";
  }
  return `Git cannot be used in this folder: ${trouble ?? "it printed nothing"}.`;
}

async function diff(
  folder: string,
  args: readonly string[],
  settings: GitSettings,
): Promise<Buffer> {
  const options = ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "-M", "-z"];
  const { bytes, trouble } = await runGit(
    folder,
    ["diff", "--relative", ...options, ...args, "--"],
    settings,
  );
  if (trouble === undefined) return bytes;
  throw new OrderError("failed", `Git failed: ${trouble}`);
}

async function listUntracked(folder: string, settings: GitSettings): Promise<ChangedFile[]> {
  const args = ["ls-files", "-z", "--others", "--exclude-standard"];
  const { bytes, trouble } = await runGit(folder, args, settings);
  if (trouble !== undefined) throw new OrderError("failed", `Git failed: ${trouble}`);
  const none: Omit<DiffedFile, "path"> = { status: "untracked", added: null, removed: null };
  return parseNames(bytes).map((name) => ({ ...none, ...name, staged: false, unstaged: true }));
}

/** Fills in the lines of a file that Git does not track, for the first ones of many. */
function countUntracked(
  folder: string,
  hidden: HiddenPaths,
): (file: ChangedFile) => Promise<ChangedFile> {
  let left = MAX_COUNTED;
  return async (file) => {
    if (file.status !== "untracked" || file.unreadableName || left-- <= 0) return file;
    const added = await countLines(folder, file.path, hidden);
    return { ...file, added, removed: added === null ? null : 0 };
  };
}

async function describeRepository(folder: string) {
  const [branch, head, names, gitFolder] = await Promise.all([
    gitLine(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]),
    findHead(folder),
    git(folder, [
      "for-each-ref",
      "--sort=-committerdate",
      `--count=${MAX_BRANCHES}`,
      "--format=%(refname:short)",
      "refs/heads",
    ]),
    gitLine(folder, ["rev-parse", "--absolute-git-dir"]),
  ]);
  const operation = gitFolder === undefined ? undefined : findOperation(gitFolder);
  return {
    branch: branch === undefined || branch === "" ? null : branch,
    head,
    branches: (names ?? "").split("\n").filter((name) => name !== ""),
    ...(operation && { operation }),
  };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
