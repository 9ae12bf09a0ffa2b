import type { CreatedCommit, NewCommit } from "@signalbox/api";
import type { GitOutput } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { createHookSettings, findCommitHooks, type FoundHooks } from "./commit-hooks.ts";
import { findHead } from "./comparison.ts";
import { findOperation } from "./operation.ts";
import { listPaths, type Repository } from "./repository.ts";

/** Hooks check and build; a hook that hangs is ended. */
const HOOKS_TIMEOUT_MS = 10 * 60_000;
const MAX_OUTPUT = 20_000;

export interface FolderTrust {
  isTrusted(folder: string): Promise<boolean>;
}

/** Commits what is staged, or these files alone. */
export async function createCommit(
  repository: Repository,
  commit: NewCommit,
  trust: FolderTrust,
): Promise<CreatedCommit> {
  const { message, files = [], amend } = commit;
  const paths = files.flatMap((file) => listPaths(repository, file));
  const head = await findHead(repository.folder);
  requireCommittable(repository, { amend, head });
  const hooks = await chooseHooks(repository, commit, trust);
  await repository.requireNoFilter(paths);
  const added = await addUntracked(repository, paths);
  const made = await repository.tryGit(
    [
      "--literal-pathspecs",
      "commit",
      "--cleanup=whitespace",
      "--no-status",
      "--no-gpg-sign",
      `--message=${message.trim()}`,
      ...(amend ? ["--amend"] : []),
      ...(paths.length > 0 ? ["--only", "--pathspec-from-file=-", "--pathspec-file-nul"] : []),
    ],
    {
      input: paths.join("\0"),
      ...(hooks && {
        settings: createHookSettings(hooks),
        timeoutMs: HOOKS_TIMEOUT_MS,
        writable: "everywhere" as const,
        network: true,
      }),
    },
  );
  const after = await findHead(repository.folder);
  // A hook that runs after the commit may fail, and the commit is made all the same.
  if (made.trouble !== undefined && (after === head || after === null)) {
    await forgetUntracked(repository, added);
    throw explain(made, hooks);
  }
  return describe(repository, after ?? "", made, hooks);
}

function requireCommittable(
  { gitFolder }: Repository,
  { amend, head }: { readonly amend: true | undefined; readonly head: string | null },
): void {
  if (!amend) return;
  if (head === null) {
    throw new OrderError("nothing-to-commit", "There is no commit yet that could be amended.");
  }
  const operation = findOperation(gitFolder);
  if (operation === undefined || operation === "bisect") return;
  const detail = `A ${operation} is under way, so the last commit is not amended. Finish or abort it first.`;
  throw new OrderError("operation-under-way", detail);
}

/** The hooks that are to run. Throws unless the person has seen them as they are and the folder is trusted. */
async function chooseHooks(
  repository: Repository,
  { hooks: chosen }: NewCommit,
  trust: FolderTrust,
): Promise<FoundHooks | undefined> {
  if (chosen === "skip") return undefined;
  const found = await findCommitHooks(repository);
  if (!found && chosen === undefined) return undefined;
  if (!found || found.hash !== chosen) {
    const names = found?.files.map(({ name }) => name).join(", ") ?? "none";
    const what =
      chosen === undefined
        ? `This repository has hooks for commits: ${names}. Say whether they are to run.`
        : `The hooks of this repository have changed since they were shown. Now there are: ${names}.`;
    throw new OrderError("stale-hooks", what);
  }
  if (found.isReadable && (await trust.isTrusted(repository.folder))) return found;
  const detail =
    "The hooks of this repository run only in a folder that an approver has trusted. Trust the folder, or commit without hooks.";
  throw new OrderError("hooks-not-trusted", detail);
}

/** Files that Git does not track yet are announced to it, so that a commit may name them. */
async function addUntracked(repository: Repository, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const tracked = await repository.run([
    "--literal-pathspecs",
    "ls-files",
    "-z",
    "--others",
    "--exclude-standard",
    "--",
    ...paths,
  ]);
  const others = new Set(tracked.toString().split("\0"));
  const added = paths.filter((path) => others.has(path));
  if (added.length > 0) {
    await repository.run(["--literal-pathspecs", "add", "--intent-to-add", "--", ...added]);
  }
  return added;
}

async function forgetUntracked(repository: Repository, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const forget = ["rm", "--cached", "-f", "-q", "--ignore-unmatch", "--", ...paths];
  await repository.tryGit(["--literal-pathspecs", ...forget]);
}

function explain({ trouble = "", bytes, errors }: GitOutput, hooks?: FoundHooks): OrderError {
  const printed = `${bytes.toString()}\n${errors}`.trim();
  if (
    /nothing to commit|nothing added to commit|no changes added|would make\s+it empty/.test(printed)
  ) {
    return new OrderError("nothing-to-commit", "Nothing is staged, so there is nothing to commit.");
  }
  if (/tell me who you are|unable to auto-detect email|ident name/i.test(printed)) {
    const detail =
      'Git does not know whose commit this is. Set it once: git config --global user.name "Your Name", and user.email.';
    return new OrderError("no-identity", detail);
  }
  if (/unmerged files|partial commit during/.test(printed)) {
    return new OrderError("operation-under-way", `Git says: ${printed.slice(0, 2000)}`);
  }
  if (/did not match any file/.test(printed)) {
    const detail = "A file of this commit is not there any more. Look at the changes again.";
    return new OrderError("bad-path", detail);
  }
  if (hooks) {
    const names = hooks.files.map(({ name }) => name).join(", ");
    const detail = `Nothing was committed, because a hook (${names}) refused it: ${cut(printed || trouble)}`;
    return new OrderError("hook-failed", detail);
  }
  return new OrderError("git-failed", `Git failed: ${trouble}`);
}

async function describe(
  repository: Repository,
  commit: string,
  { errors }: GitOutput,
  hooks: FoundHooks | undefined,
): Promise<CreatedCommit> {
  const list = ["diff-tree", "--root", "--no-commit-id", "--name-only", "-r", "-z", "-m"];
  const names = await repository.run([...list, "--first-parent", commit]);
  const [branch, subject] = await Promise.all([
    repository.readLine(["symbolic-ref", "--quiet", "--short", "HEAD"]),
    repository.readLine(["log", "-1", "--format=%s", commit]),
  ]);
  return {
    commit,
    branch: branch ?? null,
    subject: subject ?? "",
    files: new Set(names.toString("latin1").split("\0").filter(Boolean)).size,
    hooks: hooks?.files.map(({ name }) => name) ?? [],
    output: hooks ? cut(errors.trim()) : "",
  };
}

const cut = (text: string) =>
  text.length <= MAX_OUTPUT ? text : `${text.slice(0, MAX_OUTPUT)}\n… (cut)`;
