import type { BranchView, RepositoryState } from "@signalbox/api";
import { decodeStrictly, runGit } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { findCommitHooks } from "./commit-hooks.ts";
import type { FolderTrust } from "./commit.ts";
import { findHead } from "./comparison.ts";
import { openRepository, type Repository } from "./repository.ts";
import { listStashes } from "./stash.ts";

const MAX_BRANCHES = 200;

/** Where a folder's repository stands, for a person who is about to change it. */
export async function readRepository(
  place: Parameters<typeof openRepository>[0],
  trust: FolderTrust,
): Promise<RepositoryState> {
  let repository: Repository;
  try {
    repository = await openRepository(place);
  } catch (failure) {
    if (!(failure instanceof OrderError) || failure.code !== "no-repository") throw failure;
    return { repository: false, why: failure.message };
  }
  const { folder } = repository;
  const [branch, upstream, lastCommit, identity, signs, hooks, branches, stashes] =
    await Promise.all([
      readLine(folder, ["symbolic-ref", "--quiet", "--short", "HEAD"]),
      readUpstream(folder),
      readLastCommit(folder),
      readIdentity(folder),
      readSigns(folder),
      findCommitHooks(repository),
      listBranches(folder),
      listStashes(async (args) => (await runGit(folder, args)).bytes),
    ]);
  const isTrusted = hooks !== undefined && hooks.isReadable && (await trust.isTrusted(folder));
  return {
    repository: true,
    branch: branch ?? null,
    upstream,
    lastCommit,
    identity,
    signs,
    hooks: hooks ? { files: hooks.files, hash: hooks.hash, trusted: isTrusted } : null,
    branches,
    stashes,
  };
}

async function readLine(folder: string, args: readonly string[]): Promise<string | undefined> {
  const { bytes, trouble } = await runGit(folder, args);
  const text = trouble === undefined ? decodeStrictly(bytes)?.replace(/\n$/, "") : undefined;
  return text === "" ? undefined : text;
}

async function readUpstream(folder: string) {
  const name = await readLine(folder, [
    "rev-parse",
    "--abbrev-ref",
    "--symbolic-full-name",
    "@{u}",
  ]);
  if (name === undefined) return null;
  const count = ["rev-list", "--left-right", "--count", "HEAD...@{u}", "--"];
  const [ahead = 0, behind = 0] = ((await readLine(folder, count)) ?? "").split("\t").map(Number);
  return { name, ahead, behind };
}

async function readLastCommit(folder: string) {
  const head = await findHead(folder);
  if (head === null) return null;
  const { bytes } = await runGit(folder, ["log", "-1", "--format=%at%x00%an%x00%B", head]);
  const [at = "", author = "", message = ""] = bytes.toString().split("\0");
  const holding = ["for-each-ref", "--count=1", `--contains=${head}`, "refs/remotes"];
  const pushed = (await readLine(folder, holding)) !== undefined;
  return { id: head, message: message.trimEnd(), author, at: Number(at) * 1000, pushed };
}

async function readIdentity(folder: string) {
  const text = await readLine(folder, ["var", "GIT_COMMITTER_IDENT"]);
  const [, name = "", email = ""] = /^([^]*?) <([^>]*)> \d+ [+-]\d+$/.exec(text ?? "") ?? [];
  return email === "" ? null : { name, email };
}

async function readSigns(folder: string): Promise<boolean> {
  const get = ["config", "--type=bool", "--get", "commit.gpgSign"];
  return (await readLine(folder, get)) === "true";
}

async function listBranches(folder: string): Promise<BranchView[]> {
  const format = [
    "%(refname:lstrip=2)",
    "%(committerdate:unix)",
    "%(upstream:lstrip=2)",
    "%(worktreepath)",
  ].join("%00");
  const { bytes } = await runGit(folder, [
    "for-each-ref",
    "--sort=-committerdate",
    `--count=${MAX_BRANCHES}`,
    `--format=${format}`,
    "refs/heads",
  ]);
  return bytes
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [name = "", at = "", upstream = "", place = ""] = line.split("\0");
      return { name, at: Number(at) * 1000, upstream: upstream || null, folder: place || null };
    });
}
