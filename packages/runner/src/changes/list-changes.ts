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
import { readSafeSettings, type ResolvedComparison, resolveComparison } from "./comparison.ts";
import { findOperation } from "./operation.ts";
import { type DiffedFile, nameFile, parseDiff } from "./parse-changes.ts";
import { readStatus, type Status } from "./read-status.ts";
import { type HiddenPaths, isHidden } from "./open-visible.ts";
import { countLines } from "./untracked-file.ts";

/** Files that are listed; further ones are counted. */
const MAX_FILES = 2000;
/** Files that Git does not track whose lines are counted. */
const MAX_COUNTED = 300;
const MAX_BRANCHES = 100;

/** More changed files than these are compared by comparing all files. */
const MAX_PATHSPECS = 500;

/** What has changed in a folder, whoever changed it. */
export async function listChanges(named: string, against: Comparison): Promise<WorkingChanges> {
  const folder = await resolveFolder(named);
  const [inside, settings, gitFolder] = await Promise.all([
    askGit(folder, ["rev-parse", "--is-inside-work-tree", "--show-prefix"]),
    readSafeSettings(folder),
    gitLine(folder, ["rev-parse", "--absolute-git-dir"]),
  ]);
  if (!inside.output.startsWith("true\n")) {
    return { repository: false, why: describeAbsence(inside) };
  }
  if (settings === undefined) {
    return {
      repository: false,
      why: "A filter or hook in the repository's Git configuration cannot be turned off, so Git is not used here.",
    };
  }
  const prefix = inside.output.slice("true\n".length).replace(/\n$/, "");
  const [comparison, status, branches] = await Promise.all([
    resolveComparison(folder, against),
    readStatus(folder, prefix, settings),
    listBranches(folder),
  ]);
  const { branch, head, entries } = status;
  const operation = gitFolder === undefined ? undefined : findOperation(gitFolder);
  const diffed = await diffChanged(folder, status, { against, comparison, settings });
  const byPath = new Map(entries.map((entry) => [nameFile(entry.path).path, entry]));
  const tracked = diffed.map((file): ChangedFile => {
    const entry = byPath.get(file.path);
    return {
      ...file,
      ...(entry?.kind === "conflict" && { status: "conflict" as const }),
      staged: entry?.isStaged ?? false,
      unstaged: entry?.isUnstaged ?? false,
    };
  });
  const hidden = listHiddenFromGit();
  const untracked = comparison.withUntracked ? listUntracked(entries) : [];
  const visible = untracked.filter(({ path }) => !isHidden(join(folder, path), hidden));
  const files = [...tracked, ...visible].toSorted((a, b) => compare(a.path, b.path));
  return {
    repository: true,
    branch,
    head,
    base: comparison.base,
    ...(operation && { operation }),
    branches,
    files: await Promise.all(files.slice(0, MAX_FILES).map(countUntracked(folder, hidden))),
    more: Math.max(0, files.length - MAX_FILES),
  };
}

/**
 * The tracked files that differ from what is compared with. Git is asked about those alone that its status or the
 * commits since name: else it would look at every file once more.
 */
async function diffChanged(
  folder: string,
  { head, entries }: Status,
  asked: {
    readonly against: Comparison;
    readonly comparison: ResolvedComparison;
    readonly settings: GitSettings;
  },
): Promise<DiffedFile[]> {
  const { against, comparison, settings } = asked;
  const run = async (paths: readonly string[]) =>
    parseDiff(
      await diff(folder, ["--raw", "--numstat", ...comparison.args, "--", ...paths], settings),
    );
  if (against.kind === "staged" || head === null || comparison.base === null) return run([]);
  const changed = entries.flatMap(({ kind, path }) => (kind === "untracked" ? [] : [path]));
  if (comparison.base !== head) {
    const since = await diff(
      folder,
      ["--no-renames", "--name-only", comparison.base, head, "--"],
      settings,
    );
    changed.push(...since.toString("latin1").split("\0"));
  }
  const names = [...new Set(changed)].filter((path) => path !== "").map(nameFile);
  if (names.length === 0) return [];
  const isListable = names.length <= MAX_PATHSPECS && !names.some((name) => name.unreadableName);
  return run(isListable ? names.map(({ path }) => path) : []);
}

function describeAbsence({ output, trouble }: { output: string; trouble?: string }): string {
  if (output.startsWith("false")) return "This is a bare repository, which has no files.";
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
    ["--literal-pathspecs", "diff", "--relative", ...options, ...args],
    settings,
  );
  if (trouble === undefined) return bytes;
  throw new OrderError("failed", `Git failed: ${trouble}`);
}

function listUntracked(entries: Status["entries"]): ChangedFile[] {
  const none: Omit<DiffedFile, "path"> = { status: "untracked", added: null, removed: null };
  return entries.flatMap(({ kind, path }) =>
    kind === "untracked" ? [{ ...none, ...nameFile(path), staged: false, unstaged: true }] : [],
  );
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

/** The local branches, the newest first. */
async function listBranches(folder: string): Promise<string[]> {
  const names = await git(folder, [
    "for-each-ref",
    "--sort=-committerdate",
    `--count=${MAX_BRANCHES}`,
    "--format=%(refname:short)",
    "refs/heads",
  ]);
  return (names ?? "").split("\n").filter((name) => name !== "");
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
