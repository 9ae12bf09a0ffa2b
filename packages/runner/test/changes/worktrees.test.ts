import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import type { MergedWorktree, WorktreeView } from "@signalbox/api";
import type { FolderOrder } from "@signalbox/api/link";
import { FolderChanges } from "../../src/changes/changes.ts";
import { openRepositoryStage } from "./repository-stage.ts";

setDefaultTimeout(180_000);

/** A repository with a worktree on the branch `task`, as a session has one. */
function openWorktreeStage() {
  const repo = openRepositoryStage({ "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "out\n" });
  const folder = join(repo.place, "shop.worktrees/task");
  repo.git("worktree", "add", "-q", "-b", "task", folder);
  const changes = new FolderChanges({ revertsFolder: join(repo.place, "reverts") });
  const trust = { isTrusted: async () => false };
  const send = (order: object, at = folder) =>
    changes.execute({ folder: at, ...order } as unknown as FolderOrder, trust);
  const list = (at = folder) => send({ kind: "list-worktrees" }, at) as Promise<WorktreeView[]>;
  return {
    ...repo,
    folder,
    send,
    list,
    commit(text: string, path = "a.txt") {
      repo.writeAt(join(folder, path), text);
      repo.gitIn(folder, "add", "-A");
      repo.gitIn(folder, "commit", "-qm", text.trim());
    },
    async find() {
      const found = (await list()).find((one) => !one.main);
      if (!found) throw new Error("there is no worktree");
      return found;
    },
    async merge() {
      const head = repo.gitIn(folder, "rev-parse", "HEAD");
      return send({ kind: "merge-worktree", merge: { folder, head } }) as Promise<MergedWorktree>;
    },
    async remove(more: object = {}) {
      const head = repo.git("rev-parse", "task");
      return send({ kind: "remove-worktree", removal: { folder, head, ...more } }, repo.root);
    },
  };
}

test("[CG42] worktrees are listed with what would be lost, and removed only without such work or when it is given up", async () => {
  using repo = openWorktreeStage();
  const find = () => repo.find();
  const remove = (more?: object) => repo.remove(more);
  const [main, task] = await repo.list();
  expect(main).toMatchObject({ folder: repo.root, main: true, branch: "main", current: false });
  expect(task).toMatchObject({ branch: "task", current: true, changes: 0, unsaved: 0 });
  repo.writeAt(join(repo.folder, "new\n.txt"), "n\n");
  repo.writeAt(join(repo.folder, "out/x"), "ignored\n");
  expect((await find()).changes).toBe(1);
  const unsaved = { code: "unsaved-work" };
  expect(remove()).rejects.toMatchObject(unsaved);
  expect(remove({ discard: { changes: 2, unsaved: 0 } })).rejects.toMatchObject(unsaved);
  repo.commit("more\n");
  expect(await find()).toMatchObject({ changes: 0, unsaved: 1 });
  expect(remove({ deleteBranch: true })).rejects.toMatchObject(unsaved);
  expect(remove({ head: "0".repeat(40) })).rejects.toMatchObject({ code: "stale-worktree" });
  const foreign = { folder: repo.root, head: repo.git("rev-parse", "HEAD") };
  expect(remove(foreign)).rejects.toMatchObject({ code: "no-such-worktree" });
  expect(remove({ folder: "/etc" })).rejects.toMatchObject({ code: "no-such-worktree" });
  await remove(); // its commits stay on its branch
  expect(existsSync(repo.folder)).toBe(false);
  expect(repo.git("log", "-1", "--format=%s", "task")).toBe("more");
  expect(await repo.list(repo.root)).toHaveLength(1);

  repo.git("worktree", "add", "-q", repo.folder, "task");
  repo.writeAt(join(repo.folder, "a.txt"), "dirty\n");
  await remove({ deleteBranch: true, discard: { changes: 1, unsaved: 1 } });
  expect(repo.git("branch", "--format=%(refname:short)")).toBe("main");
});

test("[CG42] a worktree's branch is merged into that of the main folder, or nothing is changed", async () => {
  using repo = openWorktreeStage();
  repo.commit("more\n");
  repo.writeAt(join(repo.folder, "b.txt"), "dirty\n");
  expect(repo.merge()).rejects.toMatchObject({ code: "unsaved-work" });
  repo.gitIn(repo.folder, "checkout", "-q", "b.txt");
  const canary = repo.plantPrograms();
  const merged = await repo.merge();
  expect(canary()).toEqual([]);
  expect(merged).toMatchObject({ into: "main", commit: repo.git("rev-parse", "main") });
  expect(repo.read("a.txt")).toBe("more\n");
  expect((await repo.find()).unsaved).toBe(0);

  using other = openWorktreeStage();
  other.commit("theirs\n");
  other.write("a.txt", "ours\n");
  other.git("commit", "-qam", "ours");
  const head = other.git("rev-parse", "main");
  expect(other.merge()).rejects.toMatchObject({ code: "merge-conflict" });
  expect([other.read("a.txt"), other.git("rev-parse", "main")]).toEqual(["ours\n", head]);
  expect(other.git("status", "--porcelain")).toBe("");
  other.write("a.txt", "not committed\n");
  expect(other.merge()).rejects.toMatchObject({ code: "would-overwrite" });
  expect(other.read("a.txt")).toBe("not committed\n");
});

test("[CG42] a worktree whose folder is gone is forgotten; a driver's session stays below its allowed folders", async () => {
  using repo = openWorktreeStage();
  const allowed = [join(repo.place, "elsewhere")];
  const removal = { folder: repo.folder, head: repo.git("rev-parse", "task") };
  const order = { kind: "remove-worktree", removal };
  expect(repo.send({ ...order, allowed }, repo.root)).rejects.toMatchObject({
    code: "folder-not-allowed",
  });
  await rm(repo.folder, { recursive: true });
  expect((await repo.list(repo.root))[1]).toMatchObject({ missing: true, changes: 0 });
  await repo.remove({ deleteBranch: true });
  expect(repo.git("branch", "--format=%(refname:short)")).toBe("main");
});
