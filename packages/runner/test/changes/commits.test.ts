import { chmodSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import type { CreatedCommit, RepositoryState } from "@signalbox/api";
import type { FolderOrder } from "@signalbox/api/link";
import { FolderChanges } from "../../src/changes/changes.ts";
import { openRepositoryStage, type RepositoryStage } from "./repository-stage.ts";

setDefaultTimeout(180_000);

type Ready = Extract<RepositoryState, { repository: true }>;

function open(repo: RepositoryStage, trusted = false) {
  const changes = new FolderChanges({ revertsFolder: join(repo.place, "reverts") });
  const trust = { isTrusted: async () => trusted };
  const send = (order: object) =>
    changes.execute({ folder: repo.root, ...order } as unknown as FolderOrder, trust);
  return {
    send,
    commit: (commit: object) => send({ kind: "commit", commit }) as Promise<CreatedCommit>,
    state: () => send({ kind: "read-repository" }) as Promise<Ready>,
    switchTo: (to: object) => send({ kind: "switch-branch", to }),
    stash: async (stash: object = { untracked: true }) =>
      ((await send({ kind: "stash", stash })) as { stash: string }).stash,
    unstash: (stash: string) => send({ kind: "unstash", stash }),
  };
}

function addHook(repo: RepositoryStage, name: string, text: string, folder = ".git/hooks") {
  repo.write(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(repo.root, folder, name), 0o755);
}

test("[CG11] a commit holds what is staged, or the chosen files alone; amending replaces it", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const { commit, state } = open(repo);
  repo.write("a.txt", "a2\n");
  repo.write("b.txt", "b2\n");
  expect(commit({ message: "none" })).rejects.toMatchObject({ code: "nothing-to-commit" });
  repo.git("add", "a.txt");
  const made = await commit({ message: "  staged\n\n# kept\nbody\n" });
  expect(made).toMatchObject({ branch: "main", subject: "staged", files: 1, hooks: [] });
  expect(repo.git("log", "-1", "--format=%B")).toBe("staged\n\n# kept\nbody");
  expect(repo.git("status", "--porcelain")).toBe("M b.txt");

  const hostile = ["-rf", "a\nb", "*", "q\"uo'te", "é ü"];
  for (const name of hostile) repo.write(name, "new\n");
  await rm(join(repo.root, "c.txt"));
  repo.write("a.txt", "a3\n");
  repo.git("add", "a.txt");
  const files = ["b.txt", "c.txt", ...hostile].map((path) => ({ path }));
  const chosen = await commit({ message: "chosen", files });
  expect(chosen.files).toBe(7);
  expect(repo.git("status", "--porcelain")).toBe("M  a.txt");

  const amended = await commit({ message: "amended", amend: true });
  expect(amended.files).toBe(8);
  expect(repo.git("log", "--format=%s")).toBe("amended\nstaged\none");
  const { lastCommit, identity, signs, hooks } = await state();
  expect(lastCommit).toMatchObject({ id: amended.commit, message: "amended", pushed: false });
  expect([identity, signs, hooks]).toEqual([{ name: "A", email: "a@example.org" }, false, null]);

  const gone = commit({ message: "gone", files: [{ path: "new.txt" }, { path: "gone.txt" }] });
  expect(gone).rejects.toMatchObject({ code: "bad-path" });
  expect(commit({ message: "out", files: [{ path: "../x" }] })).rejects.toMatchObject({
    code: "bad-path",
  });
});

test("[CG11] before the first commit, on a detached head, in a merge and without a name it says what it does", async () => {
  using fresh = openRepositoryStage({});
  const unborn = open(fresh);
  fresh.write("x.txt", "x\n");
  const amend = unborn.commit({ message: "m", amend: true });
  expect(amend).rejects.toMatchObject({ code: "nothing-to-commit" });
  const first = await unborn.commit({ message: "first", files: [{ path: "x.txt" }] });
  expect(first.files).toBe(1);
  fresh.git("config", "user.name", "");
  fresh.write("x.txt", "y\n");
  const nameless = unborn.commit({ message: "m", files: [{ path: "x.txt" }] });
  expect(nameless).rejects.toMatchObject({ code: "no-identity" });

  using repo = openRepositoryStage({ "a.txt": "a\n" });
  const { commit, state, switchTo } = open(repo);
  repo.git("checkout", "-q", "--detach");
  repo.write("a.txt", "detached\n");
  expect(await commit({ message: "d", files: [{ path: "a.txt" }] })).toMatchObject({
    branch: null,
  });
  repo.git("switch", "-qc", "other");
  repo.git("switch", "-q", "main");
  repo.write("a.txt", "main\n");
  repo.git("commit", "-qam", "main");
  expect(() => repo.git("merge", "other")).toThrow();
  for (const more of [{}, { amend: true }, { files: [{ path: "a.txt" }] }]) {
    expect(commit({ message: "m", ...more })).rejects.toMatchObject({
      code: "operation-under-way",
    });
  }
  expect(switchTo({ branch: "other" })).rejects.toMatchObject({ code: "operation-under-way" });
  repo.write("a.txt", "both\n");
  repo.git("add", "a.txt");
  await commit({ message: "merged" });
  expect(repo.git("log", "-1", "--format=%p").split(" ")).toHaveLength(2);
  expect((await state()).branch).toBe("main");
});

test("[CG12] hooks run only as they were shown, in a trusted folder; otherwise never", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n" });
  const stranger = open(repo);
  const trusted = open(repo, true);
  const seen = join(repo.place, "ran");
  addHook(repo, "pre-commit", `echo checked; echo pre >> '${seen}'`);
  addHook(repo, "commit-msg", `grep -q '^feat' "$1" || { echo 'needs a type' >&2; exit 1; }`);
  repo.write("a.txt", "b\n");
  const files = [{ path: "a.txt" }];
  const before = await stranger.state();
  expect(before.hooks?.files.map(({ name }) => name)).toEqual(["pre-commit", "commit-msg"]);
  expect(before.hooks?.files[0]?.text).toContain("echo checked");
  expect(before.hooks?.trusted).toBe(false);
  const hooks = before.hooks?.hash ?? "";
  const refused = (way: typeof stranger, more: object, code: string) => {
    const commit = way.commit({ message: "feat: x", files, ...more });
    expect(commit).rejects.toMatchObject({ code });
  };
  refused(stranger, {}, "stale-hooks");
  refused(stranger, { hooks }, "hooks-not-trusted");
  refused(trusted, { hooks: "0".repeat(64) }, "stale-hooks");
  refused(trusted, { hooks, message: "no type" }, "hook-failed");
  expect(repo.readAt(seen)).toBe("pre\n");
  expect(repo.git("status", "--porcelain")).toBe("M a.txt");
  expect((await trusted.state()).hooks?.trusted).toBe(true);
  const made = await trusted.commit({ message: "feat: x", files, hooks });
  expect([made.hooks, made.output]).toEqual([["pre-commit", "commit-msg"], "checked"]);

  addHook(repo, "pre-commit", "exit 0 # changed");
  repo.write("a.txt", "c\n");
  refused(trusted, { hooks }, "stale-hooks");
  const skipped = await stranger.commit({ message: "no type", files, hooks: "skip" });
  expect(skipped.hooks).toEqual([]);
  expect(repo.readAt(seen)).toBe("pre\npre\n");

  // A folder of hooks that the repository's configuration names, and a program that one of them runs.
  repo.git("config", "core.hooksPath", ".husky");
  addHook(repo, "pre-commit", "sh ./scripts/check.sh", ".husky");
  repo.write("scripts/check.sh", "echo one");
  const [one] = (await trusted.state()).hooks?.files ?? [];
  expect(one?.path).toBe(join(repo.root, ".husky/pre-commit"));
  const shown = (await trusted.state()).hooks?.hash ?? "";
  repo.write("scripts/check.sh", "echo two");
  refused(trusted, { hooks: shown }, "stale-hooks");
});

test("[CG9] [CG12] commits, branches and stashes run nothing of the repository that was not shown", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n", "b.txt": "b\n" });
  repo.git("branch", "other");
  const { commit, switchTo, stash, unstash, state } = open(repo, true);
  const canary = repo.plantPrograms();
  repo.write("a.txt", "a2\n");
  await state();
  await commit({ message: "m", files: [{ path: "a.txt" }], hooks: "skip" });
  await commit({ message: "m2", amend: true, hooks: "skip" });
  await switchTo({ branch: "other" });
  await switchTo({ branch: "new", create: true, from: "main" });
  repo.write("a.txt", "a3\n");
  await unstash(await stash());
  repo.write("b.txt", "b2\n");
  repo.write(".gitattributes", "b.txt filter=evil\n");
  const filtered = { code: "filter-off" };
  const both = [{ path: "b.txt" }, { path: ".gitattributes" }];
  expect(commit({ message: "m", files: both, hooks: "skip" })).rejects.toMatchObject(filtered);
  expect(stash()).rejects.toMatchObject(filtered);
  expect(canary()).toEqual([]);
  expect(repo.read("b.txt")).toBe("b2\n");
});

test("[CG13] branches are made and switched to by name, and what is not committed is never lost", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n" });
  const { switchTo, state } = open(repo);
  await switchTo({ branch: "feature/x", create: true });
  repo.write("a.txt", "x\n");
  repo.git("commit", "-qam", "x");
  await switchTo({ branch: "main" });
  await switchTo({ branch: "from-x", create: true, from: "feature/x" });
  expect(repo.read("a.txt")).toBe("x\n");
  repo.write("a.txt", "mine\n");
  expect(switchTo({ branch: "main" })).rejects.toMatchObject({ code: "would-overwrite" });
  expect(repo.read("a.txt")).toBe("mine\n");
  repo.git("checkout", "-q", "a.txt");
  repo.write("new.txt", "untracked\n");
  await switchTo({ branch: "main" });
  expect(repo.read("new.txt")).toBe("untracked\n");
  const names = [
    "-D",
    "--force",
    "@{-1}",
    "a..b",
    "a b",
    "a\nb",
    "HEAD",
    "refs/../x",
    "x.lock",
    "~",
  ];
  for (const branch of names) {
    for (const to of [{ branch }, { branch, create: true }]) {
      expect(switchTo(to)).rejects.toMatchObject({ code: "bad-input" });
    }
  }
  await switchTo({ branch: '$(touch&x);`id`|"q"', create: true });
  expect(repo.git("symbolic-ref", "--short", "HEAD")).toBe('$(touch&x);`id`|"q"');
  expect(switchTo({ branch: "gone" })).rejects.toMatchObject({ code: "no-such-revision" });
  expect(switchTo({ branch: "main", create: true })).rejects.toMatchObject({
    code: "branch-exists",
  });
  repo.git("worktree", "add", "-q", join(repo.place, "tree"), "feature/x");
  expect(switchTo({ branch: "feature/x" })).rejects.toMatchObject({ code: "branch-in-use" });
  const { branches } = await state();
  const found = branches.find(({ name }) => name === "feature/x");
  expect(found?.folder).toBe(join(repo.place, "tree"));

  using fresh = openRepositoryStage({});
  await open(fresh).switchTo({ branch: "trunk", create: true });
  expect(fresh.git("symbolic-ref", "--short", "HEAD")).toBe("trunk");
});

test("[CG14] a stash takes everything that is not committed and puts it back; with a conflict it stays", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n", "b.txt": "b\n" });
  const { stash, unstash, state } = open(repo);
  expect(stash()).rejects.toMatchObject({ code: "nothing-to-stash" });
  repo.write("a.txt", "staged\n");
  repo.git("add", "a.txt");
  repo.write("b.txt", "b2\n");
  repo.write("new.txt", "n\n");
  const dirty = repo.git("status", "--porcelain");
  const id = await stash({ message: "--all; $(id)", untracked: true });
  expect(repo.git("status", "--porcelain")).toBe("");
  const [listed] = (await state()).stashes;
  expect(listed).toMatchObject({ id, message: "On main: --all; $(id)" });
  expect(await unstash(id)).toEqual({ conflicts: [] });
  expect(repo.git("status", "--porcelain")).toBe(dirty);
  expect((await state()).stashes).toEqual([]);
  expect(unstash(id)).rejects.toMatchObject({ code: "no-such-stash" });

  await stash({ untracked: false });
  expect(repo.read("new.txt")).toBe("n\n");
  repo.write("b.txt", "other\n");
  const [kept] = (await state()).stashes;
  expect(unstash(kept?.id ?? "")).rejects.toMatchObject({ code: "would-overwrite" });
  repo.git("commit", "-qam", "other");
  expect(await unstash(kept?.id ?? "")).toEqual({ conflicts: ["b.txt"] });
  expect((await state()).stashes.map((one) => one.id)).toEqual([kept?.id ?? ""]);
});
