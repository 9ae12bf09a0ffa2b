import { readFileSync } from "node:fs";
import { chmod, mkdir, readdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import type { FolderOrder } from "@signalbox/api/link";
import { FolderChanges } from "../../src/changes/changes.ts";
import { openRepositoryStage, type RepositoryStage } from "./repository-stage.ts";

setDefaultTimeout(180_000);

const head = { kind: "head" } as const;
const numbers = Array.from({ length: 40 }, (_, nth) => `line ${nth + 1}\n`);
const before = numbers.join("");
const after = numbers.with(1, "line two\n").with(30, "line thirty-one\n").join("");

const untrusted = { isTrusted: async () => false };

function open(repo: RepositoryStage) {
  const changes = new FolderChanges({ revertsFolder: join(repo.place, "reverts") });
  const send = (order: object) =>
    changes.execute({ folder: repo.root, ...order } as unknown as FolderOrder, untrusted);
  const readHunks = async (path: string, against: object, more: object = {}) => {
    const order = { kind: "read-diff", path, against, context: 3, whitespace: "show", ...more };
    const diff = (await send(order)) as { patch?: string };
    return (diff.patch ?? "").split(/^(?=@@ )/m).filter((text) => text !== "");
  };
  const revert = async (change: object, against: object = head) =>
    ((await send({ kind: "revert-change", against, change })) as { undo: string }).undo;
  const undo = (id: string) => send({ kind: "undo-revert", undo: id });
  return { send, readHunks, revert, undo };
}

test("[CG7] a hunk is put into the index, and taken out of it, alone", async () => {
  using repo = openRepositoryStage({ "a.txt": before });
  const { send, readHunks } = open(repo);
  repo.write("a.txt", after);
  const [first = "", second = ""] = await readHunks("a.txt", { kind: "index" });
  const change = (text: string) => ({ path: "a.txt", hunk: { text, context: 3 } });
  await send({ kind: "stage-change", change: change(second) });
  expect(repo.git("diff", "--cached", "--stat")).toContain("1 insertion(+), 1 deletion(-)");
  expect(await readHunks("a.txt", { kind: "index" })).toEqual([first]);
  expect(await readHunks("a.txt", { kind: "staged" })).toEqual([second]);
  await send({ kind: "unstage-change", change: change(second) });
  expect(repo.git("diff", "--cached", "--stat")).toBe("");
  expect(repo.read("a.txt")).toBe(after);
  const again = send({ kind: "unstage-change", change: change(second) });
  expect(again).rejects.toMatchObject({ code: "stale-hunk" });
});

test("[CG7] whole files are staged and unstaged: changed, new, deleted, renamed, before the first commit", async () => {
  using repo = openRepositoryStage({ "a.txt": before, "b.txt": "b\n", "c.txt": before + "c" });
  const { send } = open(repo);
  repo.write("a.txt", after);
  repo.write("new.txt", "n\n");
  await rm(join(repo.root, "b.txt"));
  await rename(join(repo.root, "c.txt"), join(repo.root, "d.txt"));
  const changes = [{ path: "a.txt" }, { path: "new.txt" }, { path: "b.txt" }];
  const renamed = { path: "d.txt", from: "c.txt" };
  for (const change of [...changes, renamed]) await send({ kind: "stage-change", change });
  const staged = "M\ta.txt\nD\tb.txt\nR100\tc.txt\td.txt\nA\tnew.txt";
  expect(repo.git("diff", "--cached", "--name-status", "-M")).toBe(staged);
  for (const change of [...changes, renamed]) await send({ kind: "unstage-change", change });
  expect(repo.git("diff", "--cached", "--name-status")).toBe("");
  expect(repo.git("status", "--porcelain")).toBe(
    "M a.txt\n D b.txt\n D c.txt\n?? d.txt\n?? new.txt",
  );

  using fresh = openRepositoryStage({});
  const unborn = open(fresh);
  fresh.write("x.txt", "x\n");
  await unborn.send({ kind: "stage-change", change: { path: "x.txt" } });
  expect(fresh.git("ls-files")).toBe("x.txt");
  await unborn.send({ kind: "unstage-change", change: { path: "x.txt" } });
  expect(fresh.git("ls-files")).toBe("");
});

test("[CG8] a reverted hunk is gone from the file and the index, and undo puts both back byte for byte", async () => {
  const bytes = Buffer.concat([
    Buffer.from(before.replace("line 20", "\u00e9")),
    Buffer.from([0xff, 0x0d, 0x0a]),
  ]);
  using repo = openRepositoryStage({ "a.txt": bytes });
  const { readHunks, revert, undo } = open(repo);
  const changed = Buffer.from(
    bytes.toString("latin1").replace("line 2\n", "two\r\n").replace("line 31", "31"),
    "latin1",
  );
  repo.write("a.txt", changed);
  await chmod(join(repo.root, "a.txt"), 0o640);
  repo.git("add", "a.txt");
  const index = repo.git("ls-files", "--stage");
  const [first = ""] = await readHunks("a.txt", head);
  const id = await revert({ path: "a.txt", hunk: { text: first, context: 3 } });
  const rest = Buffer.from(bytes.toString("latin1").replace("line 31", "31"), "latin1");
  expect(readFileSync(join(repo.root, "a.txt"))).toEqual(rest);
  expect(repo.git("diff", "--name-only")).toBe("");
  await undo(id);
  expect(readFileSync(join(repo.root, "a.txt"))).toEqual(changed);
  expect(repo.git("ls-files", "--stage")).toBe(index);
  expect(undo(id)).rejects.toMatchObject({ code: "no-such-undo" });
});

test("[CG8] whole files are reverted and brought back: changed, new, deleted, renamed, links, in conflict", async () => {
  using repo = openRepositoryStage({
    "a.txt": before,
    "b.txt": "b\n",
    "c.txt": `${before}c`,
    bin: new Uint8Array([0, 255]),
  });
  const { revert, undo } = open(repo);
  await symlink("a.txt", join(repo.root, "link"));
  repo.git("add", "link");
  repo.git("commit", "-qm", "two");
  repo.write("a.txt", after);
  repo.git("add", "a.txt");
  repo.write("a.txt", `${after}more\n`);
  repo.write("new.txt", "n\n");
  repo.write("bin", new Uint8Array([1, 0, 254]));
  await chmod(join(repo.root, "bin"), 0o755);
  await rm(join(repo.root, "b.txt"));
  repo.git("mv", "c.txt", "d.txt");
  await rm(join(repo.root, "link"));
  await symlink("b.txt", join(repo.root, "link"));
  const state = () => [
    repo.git("status", "--porcelain"),
    repo.git("diff", "HEAD", "--binary"),
    repo.git("ls-files", "--stage"),
  ];
  const dirty = state();
  const ids: string[] = [];
  for (const path of ["a.txt", "new.txt", "bin", "b.txt", "link"]) ids.push(await revert({ path }));
  ids.push(await revert({ path: "d.txt", from: "c.txt" }));
  expect(repo.git("status", "--porcelain")).toBe("");
  expect(await readlink(join(repo.root, "link"))).toBe("a.txt");
  for (const id of ids.toReversed()) await undo(id);
  expect(state()).toEqual(dirty);
  expect(repo.read("a.txt")).toBe(`${after}more\n`);
  expect(await readdir(join(repo.place, "reverts"))).toEqual([]);

  repo.git("checkout", "-qf", "HEAD");
  repo.git("clean", "-qfd");
  repo.git("reset", "-q", "--hard");
  repo.git("checkout", "-qb", "other");
  repo.write("b.txt", "other\n");
  repo.git("commit", "-qam", "other");
  repo.git("checkout", "-q", "main");
  repo.write("b.txt", "main\n");
  repo.git("commit", "-qam", "main");
  expect(() => repo.git("merge", "other")).toThrow();
  const conflict = [repo.read("b.txt"), repo.git("ls-files", "--stage")];
  const id = await revert({ path: "b.txt" });
  expect(repo.read("b.txt")).toBe("main\n");
  await undo(id);
  expect([repo.read("b.txt"), repo.git("ls-files", "--stage")]).toEqual(conflict);
});

test("[CG8] a revert goes back to a branch, the index or an earlier time, and is not undone over later changes", async () => {
  using repo = openRepositoryStage({ "a.txt": "one\n" });
  const { revert, undo } = open(repo);
  repo.git("branch", "earlier");
  repo.write("a.txt", "two\n");
  repo.git("commit", "-qam", "two");
  repo.write("a.txt", "three\n");
  repo.git("add", "a.txt");
  repo.write("a.txt", "four\n");
  await revert({ path: "a.txt" }, { kind: "index" });
  expect(repo.read("a.txt")).toBe("three\n");
  const id = await revert({ path: "a.txt" }, { kind: "commit", revision: "earlier" });
  expect(repo.read("a.txt")).toBe("one\n");
  repo.write("a.txt", "five\n");
  expect(undo(id)).rejects.toMatchObject({ code: "stale-undo" });
  expect(repo.read("a.txt")).toBe("five\n");
  repo.write("a.txt", "one\n");
  await undo(id);
  expect(repo.read("a.txt")).toBe("three\n");
});

test("[CG2] [CG8] a name is only a name: newlines, quotes, leading dashes and patterns", async () => {
  const names = [
    "-rf",
    "--all",
    "a\nb",
    "q\"uo'te",
    "*",
    ":(top)x",
    "tab\tname ",
    "é ü",
    "back\\slash",
  ];
  using repo = openRepositoryStage({
    "other.txt": "o\n",
    ...Object.fromEntries(names.map((name) => [name, before])),
  });
  const { send, readHunks, revert, undo } = open(repo);
  repo.write("other.txt", "changed\n");
  for (const name of names) {
    repo.write(name, after);
    const [first = ""] = await readHunks(name, { kind: "index" });
    const hunk = { text: first, context: 3 };
    await send({ kind: "stage-change", change: { path: name, hunk } });
    expect(repo.git("diff", "--cached", "--name-only", "-z")).toBe(`${name}\0`);
    await send({ kind: "unstage-change", change: { path: name } });
    const id = await revert({ path: name, hunk });
    expect(repo.read(name)).toBe(before.replace("line 31\n", "line thirty-one\n"));
    await undo(id);
    expect(repo.read(name)).toBe(after);
    await revert({ path: name });
    expect(repo.git("status", "--porcelain")).toBe("M other.txt");
  }
});

test("[CG5] [CG8] nothing is changed outside of the folder, through links or by a moved work tree", async () => {
  using repo = openRepositoryStage({ "sub/a.txt": "one\n", "b.txt": "b\n" });
  const { revert, undo } = open(repo);
  const outside = join(repo.place, "outside");
  await mkdir(outside);
  repo.writeAt(join(outside, "a.txt"), "precious\n");
  for (const path of ["../outside/a.txt", "/etc/passwd", "sub/../../outside/a.txt", "a\0b"]) {
    expect(revert({ path })).rejects.toMatchObject({ code: "bad-path" });
  }
  await rm(join(repo.root, "sub"), { recursive: true });
  await symlink(outside, join(repo.root, "sub"));
  await revert({ path: "sub/a.txt" }).catch(() => {});
  expect(repo.readAt(join(outside, "a.txt"))).toBe("precious\n");
  await rm(join(repo.root, "sub"), { recursive: true, force: true });
  repo.git("checkout", "-q", "--", "sub");
  repo.write("sub/a.txt", "two\n");
  const id = await revert({ path: "sub/a.txt" });
  await rm(join(repo.root, "sub"), { recursive: true });
  await symlink(outside, join(repo.root, "sub"));
  await undo(id).catch(() => {});
  expect(repo.readAt(join(outside, "a.txt"))).toBe("precious\n");

  await rm(join(repo.root, "sub"));
  repo.git("config", "core.worktree", outside);
  expect(revert({ path: "b.txt" })).rejects.toMatchObject({ code: "no-repository" });
  expect(repo.readAt(join(outside, "a.txt"))).toBe("precious\n");
});

test("[CG5] the session of a driver changes no repository that reaches beyond an allowed folder", async () => {
  using repo = openRepositoryStage({ "sub/a.txt": "one\n" });
  const { send } = open(repo);
  repo.write("sub/a.txt", "two\n");
  const folder = join(repo.root, "sub");
  const order = { kind: "stage-change", folder, change: { path: "a.txt" } };
  expect(send({ ...order, allowed: [folder] })).rejects.toMatchObject({
    code: "folder-not-allowed",
  });
  await send({ ...order, allowed: [repo.root] });
  expect(repo.git("diff", "--cached", "--name-only")).toBe("sub/a.txt");
});

test("[CG9] changing files runs nothing of the repository, and is refused where its filter would be needed", async () => {
  using repo = openRepositoryStage({ "a.txt": before, "b.txt": before });
  const { send, readHunks, revert, undo } = open(repo);
  const canary = repo.plantPrograms();
  repo.write("a.txt", after);
  repo.write("b.txt", after);
  const [first = "", second = ""] = await readHunks("a.txt", { kind: "index" });
  const hunk = (text: string) => ({ path: "a.txt", hunk: { text, context: 3 } });
  await send({ kind: "stage-change", change: hunk(first) });
  await send({ kind: "unstage-change", change: hunk(first) });
  await undo(await revert(hunk(second)));
  await undo(await revert({ path: "a.txt" }));
  await send({ kind: "stage-change", change: { path: "a.txt" } });
  await send({ kind: "unstage-change", change: { path: "a.txt" } });
  repo.write(".gitattributes", "b.txt filter=evil\n");
  for (const kind of ["stage-change", "revert-change"]) {
    const refused = send({ kind, against: head, change: { path: "b.txt" } });
    expect(refused).rejects.toMatchObject({ code: "filter-off" });
  }
  expect(repo.read("b.txt")).toBe(after);
  expect(canary()).toEqual([]);
});

test("[CG7] another program that uses the repository is waited for, and then named", async () => {
  using repo = openRepositoryStage({ "a.txt": "one\n" });
  const { send } = open(repo);
  repo.write("a.txt", "two\n");
  repo.write(".git/index.lock", "");
  const order = { kind: "stage-change", change: { path: "a.txt" } };
  expect(send(order)).rejects.toMatchObject({ code: "repository-busy" });
  const waiting = send(order);
  await rm(join(repo.root, ".git/index.lock"));
  await waiting;
  expect(repo.git("diff", "--cached", "--name-only")).toBe("a.txt");
});

test("[CG4] a bare repository, a folder without one and a deleted folder are refused by name", async () => {
  using repo = openRepositoryStage({ "a.txt": "one\n" });
  const { send } = open(repo);
  repo.git("config", "core.bare", "true");
  const order = { kind: "stage-change", change: { path: "a.txt" } };
  expect(send(order)).rejects.toMatchObject({ code: "no-repository" });
  expect(send({ ...order, folder: repo.place })).rejects.toMatchObject({ code: "no-repository" });
  const gone = join(repo.place, "gone");
  expect(send({ ...order, folder: gone })).rejects.toMatchObject({ code: "folder-unusable" });
});
