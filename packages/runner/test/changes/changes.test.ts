import { tempFolder } from "@signalbox/testing/fake-agent";
import type { Comparison, WorkingChanges } from "@signalbox/api";
import { expect, setDefaultTimeout, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { listChanges } from "../../src/changes/list-changes.ts";
import { readDiff } from "../../src/changes/read-diff.ts";

setDefaultTimeout(180_000);

/** A folder with a repository that has one commit of these files. */
function repository(files: Record<string, string | Uint8Array> = { "a.txt": "one\ntwo\n" }) {
  const place = tempFolder();
  const root = join(place.path, "shop");
  mkdirSync(join(root, "src"), { recursive: true });
  const write = (path: string, text: string | Uint8Array) => writeFileSync(join(root, path), text);
  const git = (...args: string[]) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: place.path };
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "-C", root, ...args], { env });
    if (exitCode !== 0) throw new Error(stderr.toString());
    return stdout.toString().trim();
  };
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.org");
  git("config", "user.name", "A");
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (Object.keys(files).length > 0) {
    git("add", ".");
    git("commit", "-qm", "one");
  }
  return { place, root, write, git, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

async function list(root: string, against: Comparison = { kind: "head" }) {
  const changes = await listChanges(root, against);
  if (!changes.repository) throw new Error(changes.why);
  return changes;
}

const summarize = ({ files }: Extract<WorkingChanges, { repository: true }>) =>
  Object.fromEntries(
    files.map(({ path, status, added, removed }) => [path, [status, added, removed]]),
  );

async function diff(
  folder: string,
  path: string,
  more: Partial<Parameters<typeof readDiff>[0]> = {},
) {
  const order = { kind: "read-diff", folder, path, against: { kind: "head" } } as const;
  return readDiff({ ...order, context: 3, whitespace: "show", ...more });
}

test("[CG1] every kind of change is listed with its lines, against the commit, the index and what is staged", async () => {
  using repo = repository({
    "changed.txt": "one\ntwo\n",
    "gone.txt": "x\n",
    "old-name.txt": "a\nb\nc\nd\ne\nf\n",
    "run.sh": "#!/bin/sh\n",
    "data.bin": new Uint8Array([0, 1, 2]),
  });
  const { root, write, git } = repo;
  write("changed.txt", "one\n2\nthree\n");
  rmSync(join(root, "gone.txt"));
  renameSync(join(root, "old-name.txt"), join(root, "new-name.txt"));
  chmodSync(join(root, "run.sh"), 0o755);
  write("data.bin", new Uint8Array([0, 3]));
  git("add", "-A", "old-name.txt", "new-name.txt", "gone.txt");
  write("src/fresh.txt", "a\nb");
  const changes = await list(root);
  expect(changes.branch).toBe("main");
  expect(changes.head).toBe(git("rev-parse", "HEAD"));
  expect(summarize(changes)).toEqual({
    "changed.txt": ["modified", 2, 1],
    "data.bin": ["modified", null, null],
    "gone.txt": ["deleted", 0, 1],
    "new-name.txt": ["renamed", 0, 0],
    "run.sh": ["modified", 0, 0],
    "src/fresh.txt": ["untracked", 2, 0],
  });
  const find = (path: string) => changes.files.find((file) => file.path === path);
  expect(find("new-name.txt")).toMatchObject({ from: "old-name.txt", staged: true });
  expect(find("run.sh")).toMatchObject({ mode: { from: "100644", to: "100755" }, unstaged: true });
  expect(find("gone.txt")).toMatchObject({ staged: true, unstaged: false });
  const staged = summarize(await list(root, { kind: "staged" }));
  expect(Object.keys(staged)).toEqual(["gone.txt", "new-name.txt"]);
  const unstaged = summarize(await list(root, { kind: "index" }));
  expect(Object.keys(unstaged)).toEqual(["changed.txt", "data.bin", "run.sh", "src/fresh.txt"]);
});

test("[CG1] a folder is compared with a branch, and with the last commit before a time", async () => {
  using repo = repository();
  const { root, write, git } = repo;
  git("branch", "earlier");
  write("a.txt", "one\ntwo\nthree\n");
  const later = { ...process.env, GIT_COMMITTER_DATE: "2040-01-01T00:00:00Z" };
  git("add", ".");
  Bun.spawnSync(["git", "-C", root, "commit", "-qm", "two"], {
    env: { ...later, HOME: repo.place.path },
  });
  expect((await list(root)).files).toEqual([]);
  const since: ReturnType<typeof summarize> = { "a.txt": ["modified", 1, 0] };
  expect(summarize(await list(root, { kind: "commit", revision: "earlier" }))).toEqual(since);
  const at = Date.parse("2039-01-01T00:00:00Z");
  expect(summarize(await list(root, { kind: "time", at }))).toEqual(since);
  const missing = listChanges(root, { kind: "commit", revision: "--output=x" });
  expect(missing).rejects.toThrow('There is no branch or commit "--output=x".');
});

test("[CG1] the change of a file is Git's, also of a new file, a renamed one and without whitespace", async () => {
  using repo = repository({ "a.txt": "one\ntwo\n", "b.txt": "1\n2\n3\n4\n5\n" });
  const { root, write } = repo;
  write("a.txt", "one\n  two\n");
  write("new.txt", "x\ny");
  renameSync(join(root, "b.txt"), join(root, "c.txt"));
  repo.git("add", "-A");
  write("c.txt", "1\n2\nthree\n4\n5\n");
  expect(await diff(root, "a.txt")).toEqual({
    kind: "text",
    patch: "@@ -1,2 +1,2 @@\n one\n-two\n+  two\n",
    cut: false,
  });
  expect(await diff(root, "a.txt", { whitespace: "ignore" })).toEqual({ kind: "none" });
  repo.git("reset", "-q", "new.txt");
  expect(await diff(root, "new.txt")).toMatchObject({
    patch: "@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n",
  });
  const renamed = await diff(root, "c.txt", { from: "b.txt" });
  expect(renamed).toMatchObject({ patch: expect.stringContaining("-3\n+three\n") });
  expect(await diff(root, "no-such.txt")).toEqual({ kind: "none" });
});

test("[CG2] names with line feeds, tabs, quotes, leading dashes and bytes that are not UTF-8", async () => {
  using repo = repository({});
  const { root, write } = repo;
  const names = ["line\nfeed", "tab\there", 'quo"te', "-rf", "--output=x", ":(top)x", "ü ☃"];
  for (const name of names) write(name, "1\n");
  writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff])]), "1\n");
  const { files } = await list(root);
  expect(files.map(({ path }) => path).toSorted()).toEqual([...names, "bad-\\xff"].toSorted());
  expect(files.find(({ unreadableName }) => unreadableName)?.path).toBe("bad-\\xff");
  repo.git("add", "-A");
  for (const name of names) {
    expect(await diff(root, name)).toMatchObject({ patch: "@@ -0,0 +1 @@\n+1\n" });
  }
});

test("[CG3] a folder that Git cannot be asked about says why", async () => {
  using place = tempFolder();
  expect(await listChanges(place.path, { kind: "head" })).toEqual({
    repository: false,
    why: "This folder is not in a Git repository.",
  });
  const bare = join(place.path, "bare.git");
  Bun.spawnSync(["git", "init", "-q", "--bare", bare]);
  expect(await listChanges(bare, { kind: "head" })).toMatchObject({ repository: false });
  expect(listChanges(join(place.path, "none"), { kind: "head" })).rejects.toThrow("does not exist");
});

test("[CG3] no commits, a detached head and a merge under way are shown as what they are", async () => {
  using empty = repository({});
  empty.write("first.txt", "1\n");
  empty.git("add", ".");
  expect(await list(empty.root)).toMatchObject({
    branch: "main",
    head: null,
    base: null,
    files: [{ path: "first.txt", status: "added", added: 1, staged: true }],
  });
  using repo = repository();
  repo.git("checkout", "-q", "--detach");
  expect((await list(repo.root)).branch).toBeNull();
  repo.git("checkout", "-q", "-b", "other");
  repo.write("a.txt", "other\n");
  repo.git("commit", "-qam", "other");
  repo.git("checkout", "-q", "main");
  repo.write("a.txt", "main\n");
  repo.git("commit", "-qam", "main");
  expect(() => repo.git("merge", "-q", "other")).toThrow();
  const merging = await list(repo.root);
  expect(merging.operation).toBe("merge");
  expect(merging.files).toMatchObject([{ path: "a.txt", status: "conflict" }]);
  expect(await diff(repo.root, "a.txt")).toMatchObject({
    patch: expect.stringContaining("<<<<<<<"),
  });
});

test("[CG4] nothing of the repository runs: filters, monitor, external diff, text conversion", async () => {
  using repo = repository({ "a.txt": "one\n", ".gitattributes": "*.txt filter=f diff=d\n" });
  const canary = join(repo.place.path, "ran");
  const run = `sh -c 'touch ${canary}; cat'`;
  for (const name of ["clean", "smudge", "process"]) repo.git("config", `filter.f.${name}`, run);
  repo.git("config", "core.fsmonitor", run);
  repo.git("config", "diff.external", run);
  repo.git("config", "diff.d.command", run);
  repo.git("config", "diff.d.textconv", run);
  repo.write("a.txt", "two\n");
  expect(summarize(await list(repo.root))).toEqual({ "a.txt": ["modified", 1, 1] });
  expect(await diff(repo.root, "a.txt")).toMatchObject({ patch: "@@ -1 +1 @@\n-one\n+two\n" });
  expect(existsSync(canary)).toBe(false);
});

test("[CG4] a submodule is shown by its commits, and nothing in it runs", async () => {
  using inner = repository({ "in.txt": "1\n", ".gitattributes": "*.txt filter=f\n" });
  using repo = repository();
  repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.root, "sub");
  repo.git("commit", "-qm", "sub");
  const canary = join(repo.place.path, "ran");
  const sub = (...args: string[]) =>
    repo.git("-C", "sub", "-c", "user.email=a@b", "-c", "user.name=A", ...args);
  writeFileSync(join(repo.root, "sub/in.txt"), "2\n");
  const before = sub("rev-parse", "HEAD");
  sub("commit", "-qam", "two");
  sub("config", "filter.f.clean", `sh -c 'touch ${canary}; cat'`);
  sub("config", "core.fsmonitor", `sh -c 'touch ${canary}'`);
  writeFileSync(join(repo.root, "sub/in.txt"), "3\n");
  const { files } = await list(repo.root);
  expect(files).toMatchObject([{ path: "sub", submodule: true, status: "modified" }]);
  expect(await diff(repo.root, "sub")).toEqual({
    kind: "submodule",
    from: before,
    to: sub("rev-parse", "HEAD"),
  });
  expect(existsSync(canary)).toBe(false);
});

test("[CG5] nothing is read outside of the folder: not by a path, not through a link", async () => {
  using repo = repository();
  writeFileSync(join(repo.place.path, "secret"), "secret\n");
  symlinkSync(repo.place.path, join(repo.root, "out"));
  symlinkSync(join(repo.place.path, "secret"), join(repo.root, "link"));
  for (const path of ["../secret", "/etc/passwd", "src/../../secret"]) {
    expect(diff(repo.root, path)).rejects.toThrow("is not inside the session's folder");
  }
  expect(await diff(repo.root, "out/secret")).toEqual({ kind: "none" });
  const link = await diff(repo.root, "link");
  expect(link).toMatchObject({ patch: expect.stringContaining(`+${repo.place.path}/secret`) });
  const inside = await list(join(repo.root, "src"));
  expect(inside.files).toEqual([]); // what lies above the folder is not the session's
});

test("[CG6] huge files count as binary, and a long patch is cut after a line", async () => {
  using repo = repository({ "big.txt": "x\n", "long.txt": "x\n" });
  repo.write("big.txt", "y".repeat(6 * 1024 * 1024));
  repo.write("new-big.txt", "y".repeat(6 * 1024 * 1024));
  repo.write("long.txt", "a line of some length\n".repeat(150_000));
  const counts = summarize(await list(repo.root));
  expect(counts["big.txt"]).toEqual(["modified", null, null]);
  expect(counts["new-big.txt"]).toEqual(["untracked", null, null]);
  expect(await diff(repo.root, "big.txt")).toMatchObject({ kind: "binary" });
  expect(await diff(repo.root, "new-big.txt")).toMatchObject({ kind: "binary", bytes: 6291456 });
  const long = await diff(repo.root, "long.txt");
  expect(long).toMatchObject({ kind: "text", cut: true });
  expect(long.kind === "text" && long.patch.endsWith("length\n")).toBe(true);
});

test("[CG6] of very many files the first are listed and the others counted", async () => {
  using repo = repository({});
  for (let nth = 0; nth < 2100; nth++) repo.write(`src/${String(nth).padStart(4, "0")}`, "");
  const changes = await list(repo.root);
  expect(changes.files.length).toBe(2000);
  expect(changes.more).toBe(100);
});
