import type { ChangedFile, FileDiff, WorkingChanges } from "@signalbox/api";
import { until } from "@signalbox/testing/until";
import { describe, expect, test } from "bun:test";
import { ChangesStore } from "../../src/changes/changes-store.ts";
import { buildTree, orderFiles } from "../../src/changes/file-tree.ts";
import { invertHunk, parsePatch, readLfsSizes } from "../../src/changes/parse-patch.ts";
import { buildViewRows, findStep } from "../../src/changes/view-rows.ts";

const changed = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  status: "modified",
  added: 1,
  removed: 1,
  staged: false,
  unstaged: true,
  ...more,
});
const listed = (files: ChangedFile[]): WorkingChanges => ({
  repository: true,
  branch: "main",
  head: "1",
  base: "1",
  branches: ["main"],
  files,
  more: 0,
});
const patch = [
  "@@ -1,3 +1,3 @@ function one()",
  " first",
  "-const a = 1;",
  "+const a = 2;",
  " last",
  "@@ -20 +20,2 @@",
  " x",
  "+y",
  "",
].join("\n");

describe("the change of a file", () => {
  test("[PG97] a patch is cut into hunks with the text by which they are staged", () => {
    const hunks = parsePatch(patch);
    expect(hunks.map(({ text }) => text).join("")).toBe(patch);
    expect(hunks.map(({ heading }) => heading)).toEqual(["function one()", ""]);
    expect(hunks[1]?.hunk).toEqual({
      oldStart: 20,
      oldLines: 1,
      newStart: 20,
      newLines: 2,
      lines: [" x", "+y"],
    });
  });

  test("[PG97] the preview of a revert takes away what was added", () => {
    const [first] = parsePatch(patch);
    if (!first) throw new Error("there is no hunk");
    expect(invertHunk(first.hunk).lines).toEqual([
      " first",
      "-const a = 2;",
      "+const a = 1;",
      " last",
    ]);
  });

  test("[PG97] a pointer of Git LFS is known, with the sizes before and after", () => {
    const lfs = parsePatch(
      "@@ -1,3 +1,3 @@\n version https://git-lfs.github.com/spec/v1\n-oid sha256:a\n-size 10\n+oid sha256:b\n+size 20\n",
    );
    expect(readLfsSizes(lfs)).toEqual({ from: 10, to: 20 });
    expect(readLfsSizes(parsePatch(patch))).toBeUndefined();
  });
});

describe("the tree of changed files", () => {
  const files = [
    changed("z.md"),
    changed("src/a/b/one.ts"),
    changed("src/a/b/two.ts", { added: 5 }),
  ];

  test("[PG97] folders come first, those with nothing else in them are one row, and counts add up", () => {
    const [folder, ...rest] = buildTree(files, new Set());
    expect(folder).toMatchObject({ kind: "folder", name: "src/a/b", files: 2 });
    expect(folder).toMatchObject({ totals: { added: 6, removed: 2 } });
    expect(rest.map(({ name, depth }) => [name, depth])).toEqual([
      ["one.ts", 1],
      ["two.ts", 1],
      ["z.md", 0],
    ]);
  });

  test("[PG97] a closed folder hides its files, and the order of reading stays", () => {
    expect(buildTree(files, new Set(["src/a/b/"])).map(({ name }) => name)).toEqual([
      "src/a/b",
      "z.md",
    ]);
    expect(orderFiles(files).map(({ path }) => path)).toEqual([
      "src/a/b/one.ts",
      "src/a/b/two.ts",
      "z.md",
    ]);
  });
});

describe("the changes of a session", () => {
  /** A hub that answers with what these hold. */
  function openStore(files: ChangedFile[]) {
    const hub = { files, patch, asked: [] as string[] };
    const store = new ChangesStore(
      {
        workingChanges: async () => listed(hub.files),
        fileDiff: async (_, { path, against, context, whitespace }): Promise<FileDiff> => {
          hub.asked.push(`${path} ${against} ${context} ${whitespace}`);
          return { kind: "text", patch: hub.patch, cut: false };
        },
      },
      crypto.randomUUID(),
      "start",
    );
    const find = (path: string) => store.getSnapshot().files.find((one) => one.file.path === path);
    return { hub, store, find };
  }

  test("[PG97] only files in sight are loaded, and again when they have changed", async () => {
    const { hub, store, find } = openStore([changed("a.ts"), changed("b.ts")]);
    store.refresh();
    await until("they are listed", () => store.getSnapshot().files.length === 2);
    store.load(["a.ts"]);
    await until("it is loaded", () => find("a.ts")?.diff);
    expect(hub.asked).toEqual(["a.ts start 3 show"]);
    store.refresh(["b.ts"]); // is not in sight
    store.refresh(["a.ts"]);
    await until("it is loaded again", () => hub.asked.length === 2);
    store.showMoreContext("a.ts");
    store.load(["a.ts"]);
    await until("with more lines", () => hub.asked.at(-1) === "a.ts start 25 show");
  });

  test("[PG97] a viewed file is folded until its change is another one", async () => {
    const { hub, store, find } = openStore([changed("a.ts")]);
    store.refresh();
    await until("it is listed", () => find("a.ts"));
    store.load(["a.ts"]);
    await until("it is loaded", () => find("a.ts")?.diff);
    store.setViewed("a.ts", true);
    expect(find("a.ts")).toMatchObject({ isViewed: true, isOpen: false });
    hub.patch = patch.replace("const a = 2", "const a = 3");
    store.refresh(["a.ts"]);
    await until("it is to be seen again", () => find("a.ts")?.isViewed === false);
    expect(find("a.ts")?.isOpen).toBe(true);
  });

  test("[PG97] another comparison shows nothing of the one before", async () => {
    const { hub, store, find } = openStore([changed("a.ts")]);
    store.refresh();
    await until("it is listed", () => find("a.ts"));
    hub.files = [changed("b.ts")];
    store.setAgainst("staged");
    expect(store.getSnapshot()).toMatchObject({ against: "staged", changes: undefined });
    await until("the other is listed", () => find("b.ts"));
    expect(find("a.ts")).toBeUndefined();
  });

  test("[PG97] long and deleted files are folded, and keys go from file to file and from change to change", async () => {
    const { store, find } = openStore([
      changed("a.ts"),
      changed("long.ts", { added: 5000 }),
      changed("gone.ts", { status: "deleted" }),
    ]);
    store.refresh();
    await until("they are listed", () => find("a.ts"));
    store.load(["a.ts"]);
    await until("it is loaded", () => find("a.ts")?.diff);
    expect(find("long.ts")?.isOpen).toBe(false);
    expect(find("gone.ts")?.isOpen).toBe(false);
    const rows = buildViewRows(store.getSnapshot().files, "unified");
    const kinds = rows.map(({ kind }) => kind);
    expect(findStep(rows, 0, "hunk", 1)).toBe(kinds.indexOf("hunk"));
    expect(rows[findStep(rows, 0, "file", 1) ?? 0]?.key).toBe("gone.ts");
    expect(findStep(rows, 0, "file", -1)).toBeUndefined();
  });
});
