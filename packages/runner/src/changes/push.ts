import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewPush, PushResult } from "@signalbox/api";
import { findGit, runGitCommand, settingsInEnvironment } from "@signalbox/host/git";
import { OrderError } from "../supervise/order-error.ts";
import { pickPersonalVariables } from "./code-host.ts";
import { findHead } from "./comparison.ts";
import { requireRemote } from "./remotes.ts";
import type { Repository } from "./repository.ts";

const TIMEOUT_MS = 10 * 60_000;

/** Nothing is asked on a screen, no hook runs, and nothing but https and ssh is spoken. */
const settings = {
  "core.hooksPath": "/dev/null",
  "core.fsmonitor": "false",
  "gc.auto": "0",
  "push.recurseSubmodules": "no",
  "push.gpgSign": "false",
  "push.followTags": "false",
  "protocol.allow": "never",
  "protocol.https.allow": "always",
  "protocol.ssh.allow": "always",
};

/**
 * Pushes the current branch as it was shown. It is pushed from an empty repository that borrows the objects of
 * the session's, so that of the session's configuration nothing counts: no helper, command, proxy or other address.
 */
export async function pushBranch(repository: Repository, push: NewPush): Promise<PushResult> {
  const { remote, branch, commit, force } = push;
  await requireShown(repository, push);
  const { url } = await requireRemote(repository, push);
  await requireNoLargeFiles(repository, commit);
  const tracking = `refs/remotes/${remote}/${branch}`;
  const seen = await repository.readLine(["rev-parse", "--verify", "--quiet", tracking]);
  const target = `refs/heads/${branch}`;
  const lease = force ? [`--force-with-lease=${target}:${seen ?? ""}`] : [];
  const folder = await mkdtemp(join(tmpdir(), "signalbox-push-"));
  try {
    await borrowObjects(repository, folder);
    const args = ["push", "--porcelain", "--no-verify", ...lease, "--", url, `${commit}:${target}`];
    const { trouble, bytes, errors } = await runGitCommand(folder, args, {
      wholeEnvironment: {
        ...pickPersonalVariables(["GIT_SSH", "GIT_SSH_COMMAND", "SSH_AGENT_PID"]),
        ...settingsInEnvironment(settings),
        PATH: findGit().folders,
        GIT_TERMINAL_PROMPT: "0",
        GIT_ASKPASS: "",
        SSH_ASKPASS_REQUIRE: "never",
        LC_ALL: "C",
      },
      writable: "everywhere",
      network: true,
      timeoutMs: TIMEOUT_MS,
    });
    if (trouble !== undefined) throw explain(`${bytes.toString()}\n${errors}`.trim() || trouble);
    await repository.tryGit(["update-ref", tracking, commit]);
    await repository.tryGit(["branch", "--quiet", `--set-upstream-to=${remote}/${branch}`, branch]);
    return { branch, commit, message: errors.trim().slice(0, 4000) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireShown(repository: Repository, { branch, commit }: NewPush): Promise<void> {
  const current = await repository.readLine(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  const head = await findHead(repository.folder);
  if (current === branch && head === commit) return;
  const where = current === undefined ? "no branch" : `the branch ${current}`;
  const detail = `The folder is on ${where} at ${head ?? "no commit"} now. Look at it again.`;
  throw new OrderError("stale-remote", detail);
}

/** Files of Git LFS are uploaded by a hook, which does not run. */
async function requireNoLargeFiles(repository: Repository, commit: string): Promise<void> {
  const args = ["grep", "-lI", "-e", "filter=lfs", commit, "--", "*.gitattributes"];
  const { exitCode } = await repository.tryGit(args);
  if (exitCode !== 0) return;
  const detail =
    "This repository stores files with Git LFS, whose own hook has to upload them. Push in a shell.";
  throw new OrderError("filter-off", detail);
}

async function borrowObjects(repository: Repository, folder: string): Promise<void> {
  const format = await repository.readLine(["rev-parse", "--show-object-format"]);
  const init = ["init", "--quiet", "--bare", `--object-format=${format ?? "sha1"}`, "--template="];
  const { trouble } = await runGitCommand(folder, init, { writable: [folder] });
  if (trouble !== undefined) throw new OrderError("git-failed", `Git failed: ${trouble}`);
  const objects = join(repository.common, "objects");
  if (/["\n]/.test(objects)) {
    const detail = "The folder's name holds a quote or a newline. Push in a shell.";
    throw new OrderError("git-failed", detail);
  }
  await writeFile(join(folder, "objects/info/alternates"), `${objects}\n`);
  await copyFile(join(repository.common, "shallow"), join(folder, "shallow")).catch(() => {});
}

function explain(printed: string): OrderError {
  const words = printed.slice(0, 4000);
  if (
    /could not read Username|Authentication failed|Permission denied|HTTP 40[13]/i.test(printed)
  ) {
    const detail = `Git is not signed in there. Push once in a shell on that machine. Git says: ${words}`;
    return new OrderError("not-signed-in", detail);
  }
  if (/^!\t|\[(?:remote )?rejected\]|stale info/m.test(printed)) {
    return new OrderError("push-rejected", `The remote did not take the push: ${words}`);
  }
  return new OrderError("git-failed", `Git failed: ${words}`);
}
