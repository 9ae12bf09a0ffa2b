import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openHubStage } from "@signalbox/testing/hub-stage";
import { until } from "@signalbox/testing/until";

setDefaultTimeout(180_000);

let hub: Awaited<ReturnType<typeof openHubStage>>;
beforeAll(async () => {
  hub = await openHubStage();
});
afterAll(() => hub[Symbol.asyncDispose]());

function git(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "-C", hub.folder, ...args]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString().trim();
}

test("[CG11] [CG12] signalbox changes and commit: files, hooks that wait for trust, and the audit log", async () => {
  git("init", "-q", "-b", "main");
  git("config", "user.name", "A");
  git("config", "user.email", "a@example.org");
  const write = (path: string, text: string) => writeFileSync(join(hub.folder, path), text);
  write("a.txt", "one\n");
  git("add", ".");
  git("commit", "-qm", "one");
  write("a.txt", "two\n");
  write("new\n.txt", "n\n");
  const { id } = await hub.admin.createSession({ folder: hub.folder });
  const listed = await hub.command(["changes", id]);
  expect(listed.stderr).toBe("");
  expect(listed.stdout).toContain("on main");
  expect(listed.stdout).toMatch(/modified +a\.txt +\+1 +-1/);
  expect(listed.stdout).toContain("new\\n.txt");
  expect((await hub.command(["changes", id, "a.txt"])).stdout).toContain("-one\n+two");
  const first = await hub.command(["commit", id, "-m", "Two", "a.txt"]);
  expect([first.stderr, first.exit]).toEqual(["", 0]);
  expect(first.stdout).toContain("Two  (1 file on main)");

  mkdirSync(join(hub.folder, ".git/hooks"), { recursive: true });
  write(".git/hooks/pre-commit", "#!/bin/sh\necho hook-ran\n");
  chmodSync(join(hub.folder, ".git/hooks/pre-commit"), 0o755);
  const commit = (...more: string[]) => hub.command(["commit", id, "-m", "All", "--all", ...more]);
  const waiting = await commit();
  expect([waiting.exit, waiting.stderr]).toEqual([3, expect.stringContaining("--no-hooks")]);
  const { runner, folder, hash } = await hub.admin.sessionTrust(id);
  await hub.admin.grantTrust({ runner, folder, hash });
  const unconfirmed = await commit();
  expect([unconfirmed.exit, unconfirmed.stderr]).toEqual([
    3,
    expect.stringContaining("needs an approver"),
  ]);
  const all = hub.commandOnTerminal(["commit", id, "-m", "All", "--all"]);
  await all.terminal.until("Confirm this terminal on a paired device of an approver");
  const asked = await until("it waits", async () => (await hub.admin.elevations())[0]);
  await hub.admin.decideElevation(asked, true);
  expect(await all.exited).toBe(0);
  expect(all.terminal.text).toContain("pre-commit");
  expect(all.terminal.text).toContain("hook-ran");
  expect(git("status", "--porcelain")).toBe("");
  const again = await commit("--no-hooks");
  expect([again.exit, again.stderr]).toEqual([3, expect.stringContaining("Nothing has changed")]);

  await hub.admin.git.switchBranch(id, { branch: "next", create: true });
  write("a.txt", "three\n");
  const { stash } = await hub.admin.git.stash(id);
  expect(await hub.admin.git.unstash(id, { stash })).toEqual({ conflicts: [] });
  const { entries } = await hub.admin.audit({ limit: 50 });
  const noted = entries
    .filter(({ session }) => session === id)
    .map(({ what, facts }) => [what, facts]);
  const find = (name: string) => noted.filter(([what]) => what === name).map(([, facts]) => facts);
  expect(find("committed")).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ subject: "Two", hooks: [], files: 1 }),
      expect.objectContaining({ subject: "All", hooks: ["pre-commit"], files: 1 }),
    ]),
  );
  expect(find("branch-switched")).toEqual([
    expect.objectContaining({ branch: "next", made: true }),
  ]);
  expect([find("stashed"), find("unstashed")].flat()).toHaveLength(2);

  // Pushing takes an approver, who confirms a terminal, and there is none here.
  git("remote", "add", "origin", "git@github.example:team/shop.git");
  for (const command of [
    ["push", id],
    ["pr", id, "--title", "T", "--base", "main"],
  ]) {
    const refused = await hub.command(command);
    expect([refused.exit, refused.stderr]).toEqual([
      3,
      expect.stringContaining("needs an approver"),
    ]);
  }
  const [remote] = (await hub.admin.git.remote(id)).remotes;
  const shown = { remote: "origin", url: remote?.url ?? "", branch: "next" };
  const stale = hub.admin.git.push(id, { ...shown, commit: "0".repeat(40) });
  expect(stale).rejects.toMatchObject({ code: "stale-remote" });
  const attempts = (await hub.admin.audit({ limit: 5 })).entries.map(({ what }) => what);
  expect(attempts.filter((what) => what.startsWith("push-")).toSorted()).toEqual([
    "push-failed",
    "push-started",
  ]);
});

test("[CG42] signalbox worktrees lists, merges and removes the one that a session was created in", async () => {
  git("init", "-q", "-b", "main");
  const { id, folder } = await hub.admin.createSession({ folder: hub.folder, worktree: "task" });
  writeFileSync(join(folder, "task.txt"), "task\n");
  expect((await hub.command(["worktrees", id])).stdout).toMatch(
    /task .*this session, 1 not committed/,
  );
  const kept = await hub.command(["worktrees", id, "--remove"]);
  expect([kept.exit, kept.stderr]).toEqual([3, expect.stringContaining("1 file that is not")]);
  await hub.command(["commit", id, "-m", "Task", "--all", "--no-hooks"]);
  const done = await hub.command(["worktrees", id, "--merge", "--remove", "--delete-branch"]);
  expect([done.stderr, done.exit]).toEqual(["", 0]);
  expect(done.stdout).toContain("Merged into");
  expect(git("show", "--name-only", "--format=")).toContain("task.txt");
  expect(git("branch", "--list", "task")).toBe("");
  const { entries } = await hub.admin.audit({ limit: 5 });
  expect(entries.find(({ session }) => session === id)?.what).toBe("worktree-removed");
});

test("[FI1] [FI2] [FI4] the files of a session are listed, read and searched over the API", async () => {
  const { id } = await hub.admin.createSession({ folder: hub.folder });
  writeFileSync(join(hub.folder, "found.txt"), "a needle\n");
  const { entries } = await hub.admin.git.entries(id);
  expect(entries).toContainEqual({ name: "found.txt", kind: "file" });
  expect(await hub.admin.git.readFile(id, "found.txt")).toMatchObject({ text: "a needle\n" });
  const { matches } = await hub.admin.git.searchFiles(id, "needle");
  expect(matches).toEqual([{ path: "found.txt", line: 1, text: "a needle" }]);
});
