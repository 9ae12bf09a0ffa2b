import { existsSync, readdirSync } from "node:fs";
import { mkdir, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import type { FolderOrder } from "@signalbox/api/link";
import { isolateGit } from "@signalbox/host/git";
import { FolderChanges } from "../../src/changes/changes.ts";
import { RevertedFiles } from "../../src/changes/reverted-files.ts";
import { openRepositoryStage, type RepositoryStage } from "./repository-stage.ts";

setDefaultTimeout(180_000);

const head = { kind: "head" } as const;

const untrusted = { isTrusted: async () => false };

function open(repo: RepositoryStage) {
  const changes = new FolderChanges({ revertsFolder: join(repo.place, "reverts") });
  const send = (order: object, folder = repo.root) =>
    changes.execute({ folder, against: head, ...order } as unknown as FolderOrder, untrusted);
  const read = (path: string) =>
    send({ kind: "read-diff", path, context: 3, whitespace: "show" }) as Promise<object>;
  const change = (kind: string, path: string, folder?: string) =>
    send({ kind: `${kind}-change`, change: { path } }, folder);
  return { send, read, change };
}

test("[CG10] Signalbox's own files in a session's folder are not listed, read, staged or deleted", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n" });
  const { send, read, change } = open(repo);
  const data = join(repo.root, "state/signalbox");
  repo.write("state/signalbox/identity.json", "the hub's private key\n");
  repo.write("state/other.txt", "visible\n");
  await symlink(data, join(repo.root, "way"));
  isolateGit(() => [data]);
  try {
    const { files } = (await send({ kind: "list-changes" })) as { files: { path: string }[] };
    const listed = files.map(({ path }) => path);
    expect(listed).toContain("state/other.txt");
    expect(listed.filter((path) => path.startsWith("state/signalbox/"))).toEqual([]);
    for (const path of ["state/signalbox/identity.json", "way/identity.json"]) {
      const shown = await read(path).catch((failure: { code?: string }) => failure.code);
      expect(JSON.stringify(shown)).not.toContain("private key");
      for (const kind of ["stage", "revert"]) await change(kind, path).catch(() => {});
    }
    for (const path of ["state", "state/signalbox", "state/signalbox/identity.json"]) {
      expect(change("stage", path)).rejects.toMatchObject({ code: "bad-path" });
    }
    expect(repo.read("state/signalbox/identity.json")).toBe("the hub's private key\n");
    expect(repo.git("ls-files", "--cached")).toBe("a.txt");
  } finally {
    isolateGit([]);
  }
});

test("[CG10] ignored files and Git's own are neither read nor deleted, and the folder itself is no file", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n", ".gitignore": ".env\n" });
  const { read, change } = open(repo);
  repo.write(".env", "KEY=secret\n");
  repo.write("sub/new.txt", "new\n");
  for (const path of [".env", ".git/config", ".git/HEAD"]) {
    expect(await read(path)).toEqual({ kind: "none" });
    expect(change("revert", path)).rejects.toMatchObject({ code: "bad-path" });
  }
  for (const path of [".", "./", "sub/..", "sub/../."]) {
    expect(change("revert", path)).rejects.toMatchObject({ code: "bad-path" });
  }
  expect(change("revert", "sub")).rejects.toMatchObject({ code: "bad-path" });
  expect(repo.read(".env")).toBe("KEY=secret\n");
  expect(repo.git("status", "--short")).toBe("?? sub/");
  expect(readdirSync(repo.root).filter((name) => name.startsWith(".signalbox"))).toEqual([]);
});

test("[CG10] a .git that leads into another folder's repository changes nothing there; a worktree is changed", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n" });
  const { change } = open(repo);
  const decoy = join(repo.place, "decoy");
  repo.writeAt(join(decoy, ".git"), `gitdir: ${join(repo.root, ".git")}\n`);
  repo.writeAt(join(decoy, "evil.txt"), "evil\n");
  expect(change("stage", "evil.txt", decoy)).rejects.toMatchObject({ code: "no-repository" });
  const linked = join(repo.place, "linked");
  await mkdir(linked);
  await symlink(join(repo.root, ".git"), join(linked, ".git"));
  repo.writeAt(join(linked, "evil.txt"), "evil\n");
  expect(change("stage", "evil.txt", linked)).rejects.toMatchObject({ code: "no-repository" });
  const worktree = join(repo.place, "worktree");
  repo.git("worktree", "add", "-q", worktree);
  repo.writeAt(join(decoy, ".git"), `gitdir: ${join(repo.root, ".git/worktrees/worktree")}\n`);
  expect(change("stage", "evil.txt", decoy)).rejects.toMatchObject({ code: "no-repository" });
  repo.writeAt(join(worktree, "new.txt"), "new\n");
  await change("stage", "new.txt", worktree);
  expect(repo.gitIn(worktree, "status", "--short")).toBe("A  new.txt");
  expect(repo.git("status", "--short")).toBe("");
});

test("[CG9] a folder is not staged past the repository's filter", async () => {
  using repo = openRepositoryStage({ ".gitattributes": "*.key filter=crypt\n" });
  const { change } = open(repo);
  repo.git("config", "filter.crypt.clean", "cat");
  repo.write("sub/a.key", "plain\n");
  expect(change("stage", "sub")).rejects.toMatchObject({ code: "filter-off" });
  expect(repo.git("ls-files", "sub")).toBe("");
});

test("[CG8] a file too large to be kept is not reverted, and of large ones only the newest are kept", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n" });
  const place = join(repo.place, "reverts");
  let now = 1000;
  const reverted = new RevertedFiles(place, () => now++, { fileBytes: 2000, allBytes: 5000 });
  repo.write("big.bin", "");
  await truncate(join(repo.root, "big.bin"), 2001);
  expect(reverted.save(crypto.randomUUID(), repo.root, ["a.txt", "big.bin"])).rejects.toMatchObject(
    { code: "bad-path" },
  );
  await truncate(join(repo.root, "big.bin"), 2000);
  const ids = [];
  for (let nth = 0; nth < 3; nth++) {
    const id = crypto.randomUUID();
    ids.push(id);
    await reverted.save(id, repo.root, ["big.bin"]);
    await reverted.record(id, { folder: repo.root, index: "", files: [] });
  }
  // A copy that was cut off is not left behind, either.
  expect(readdirSync(place).toSorted()).toEqual(ids.slice(1).toSorted());
  expect(existsSync(reverted.getCopy(ids[2] ?? "", 0))).toBe(true);
});

test("[CG8] undo puts the index back in a repository with SHA-256, too", async () => {
  using repo = openRepositoryStage({});
  const { change, send } = open(repo);
  const root = join(repo.place, "sha256");
  await mkdir(root);
  repo.gitIn(root, "init", "-q", "--object-format=sha256");
  repo.writeAt(join(root, "new.txt"), "new\n");
  repo.gitIn(root, "add", "new.txt");
  const { undo } = (await change("revert", "new.txt", root)) as { undo: string };
  expect(repo.gitIn(root, "status", "--short")).toBe("");
  await send({ kind: "undo-revert", undo }, root);
  expect(repo.gitIn(root, "status", "--short")).toBe("A  new.txt");
});

test("[CG15] stashes and branches do not touch Signalbox's own files in a repository around them", async () => {
  using repo = openRepositoryStage({ "a.txt": "a\n" });
  const { send } = open(repo);
  const data = join(repo.root, "state/signalbox");
  const identity = "state/signalbox/identity.json";
  repo.git("switch", "-qc", "evil");
  repo.write(identity, "a false key\n");
  repo.git("add", ".");
  repo.git("commit", "-qm", "evil");
  repo.git("switch", "-q", "main");
  repo.write(identity, "another false key\n");
  repo.git("stash", "push", "-q", "--include-untracked");
  const stash = repo.git("stash", "list", "--format=%H");
  repo.write(identity, "the hub's private key\n");
  repo.write("a.txt", "changed\n");
  const stashAll = { kind: "stash", stash: { untracked: true } };
  isolateGit(() => [data]);
  try {
    const orders = [
      stashAll,
      { kind: "unstash", stash },
      { kind: "switch-branch", to: { branch: "evil" } },
    ];
    for (const order of orders) {
      expect(send(order)).rejects.toMatchObject({ code: "bad-path" });
      await send(order).catch(() => {});
      expect(repo.read(identity)).toBe("the hub's private key\n");
    }
    await send({ kind: "stash", stash: { untracked: false } });
    expect(repo.read("a.txt")).toBe("a\n");
    await send({ kind: "switch-branch", to: { branch: "next", create: true } });
    expect(repo.git("branch", "--show-current")).toBe("next");
  } finally {
    isolateGit(() => []);
  }
});
