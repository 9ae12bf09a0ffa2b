import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, setDefaultTimeout, test } from "bun:test";
import { isolateGit } from "@signalbox/host/git";
import { listFolderEntries } from "../src/files/list-entries.ts";
import { readSessionFile } from "../src/files/read-file.ts";
import { searchFiles } from "../src/files/search-files.ts";
import { openRepositoryStage } from "./changes/repository-stage.ts";

setDefaultTimeout(180_000);

const names = ["-rf", "a\nb", "q\"uo'te", "*", "é ü"];

test("[FI1] a folder's entries are listed, folders first, with ignored ones marked and any name", async () => {
  using repo = openRepositoryStage({ "src/a.ts": "a\n", ".gitignore": "out/\n*.log\n" });
  for (const name of names) repo.write(name, "x\n");
  repo.write("out/x.js", "x\n");
  repo.write("b.log", "x\n");
  symlinkSync("/etc/passwd", join(repo.root, "way"));
  writeFileSync(Buffer.concat([Buffer.from(`${repo.root}/raw`), Buffer.from([0xff])]), "x");
  const { entries, more } = await listFolderEntries(repo.root, "");
  expect(entries.slice(0, 2).map(({ name, kind, ignored }) => [name, kind, ignored])).toEqual([
    ["out", "folder", true],
    ["src", "folder", undefined],
  ]);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  expect(names.every((name) => byName.get(name)?.kind === "file")).toBe(true);
  expect(byName.get("b.log")?.ignored).toBe(true);
  expect(byName.get("way")?.kind).toBe("link");
  expect(byName.get("raw\\xff")?.unreadableName).toBe(true);
  expect([byName.has(".git"), more]).toEqual([false, 0]);
  expect((await listFolderEntries(repo.root, "src/")).entries).toEqual([
    { name: "a.ts", kind: "file" },
  ]);
  for (let nth = 0; nth < 2100; nth++) repo.write(`many/${nth}`, "");
  expect((await listFolderEntries(repo.root, "many")).more).toBe(100);
});

test("[FI2] a file is read as text, as far as it is not too long; others are named for what they are", async () => {
  using repo = openRepositoryStage({ "a.txt": "one\ntwo\n" });
  expect(await readSessionFile(repo.root, "a.txt")).toEqual({
    kind: "text",
    text: "one\ntwo\n",
    bytes: 8,
    cut: false,
  });
  repo.write("long.txt", `${"x".repeat(99)}\n`.repeat(20_000));
  const long = await readSessionFile(repo.root, "long.txt");
  expect(long).toMatchObject({ kind: "text", cut: true, bytes: 2_000_000 });
  expect(long.kind === "text" && long.text.endsWith("x\n")).toBe(true);
  repo.write("bin", new Uint8Array([1, 0, 2]));
  repo.write("huge", "x");
  truncateSync(join(repo.root, "huge"), 200 * 1024 * 1024);
  expect(await readSessionFile(repo.root, "bin")).toEqual({ kind: "binary", bytes: 3 });
  expect(await readSessionFile(repo.root, "huge")).toMatchObject({ kind: "binary" });
  expect(await readSessionFile(repo.root, "gone/x")).toEqual({ kind: "none" });
  Bun.spawnSync(["mkfifo", join(repo.root, "pipe")]);
  expect(await readSessionFile(repo.root, "pipe")).toEqual({ kind: "none" });
});

test("[FI3] nothing outside of the folder, of Git's own or of Signalbox is listed, read or found", async () => {
  using repo = openRepositoryStage({ "a.txt": "needle\n" });
  const outside = join(repo.place, "outside");
  mkdirSync(outside);
  repo.writeAt(join(outside, "secret.txt"), "needle outside\n");
  repo.write("state/signalbox/key.json", "needle key\n");
  symlinkSync(outside, join(repo.root, "out"));
  symlinkSync(join(outside, "secret.txt"), join(repo.root, "link.txt"));
  symlinkSync("state/signalbox", join(repo.root, "way"));
  const bad = ["../outside/secret.txt", "/etc/passwd", "a/../../outside/secret.txt", "a\0b"];
  isolateGit(() => [join(repo.root, "state/signalbox")]);
  try {
    for (const path of [...bad, ".git/config", "sub/.GIT/config", "state/signalbox/key.json"]) {
      expect(readSessionFile(repo.root, path)).rejects.toMatchObject({ code: "bad-path" });
    }
    for (const path of ["..", ".git", "out", "state/signalbox", "way"]) {
      expect(listFolderEntries(repo.root, path)).rejects.toMatchObject({ code: "bad-path" });
    }
    expect((await listFolderEntries(repo.root, "state")).entries).toEqual([]);
    expect(await readSessionFile(repo.root, "out/secret.txt")).toEqual({ kind: "none" });
    const through = await readSessionFile(repo.root, "way/key.json").catch(() => "refused");
    expect(JSON.stringify(through)).not.toContain("needle");
    expect(await readSessionFile(repo.root, "link.txt")).toEqual({
      kind: "link",
      target: join(outside, "secret.txt"),
    });
    const { matches } = await searchFiles(repo.root, "needle");
    expect(matches).toEqual([{ path: "a.txt", line: 1, text: "needle" }]);
  } finally {
    isolateGit([]);
  }
});

test("[FI4] contents are searched with ripgrep, that of the agent, or by reading, with the same result", async () => {
  const lines = Array.from({ length: 30 }, (_, nth) => `line ${nth}\n`);
  using repo = openRepositoryStage({
    "a.txt": lines.with(6, "a Needle here\n").join(""),
    "--pre=id": "x needle\n",
    "b\nc.txt": "needle $(id)\n",
    ".gitignore": "ignored\n",
    bin: new Uint8Array([0, 110, 101]),
  });
  repo.write("ignored", "needle\n");
  repo.write(".hidden/new.txt", "NEEDLE needle\n");
  const none = { path: "/nonexistent/rg", argv0: "rg" };
  const expected = [
    { path: "--pre=id", line: 1, text: "x needle" },
    { path: ".hidden/new.txt", line: 1, text: "NEEDLE needle" },
    { path: "a.txt", line: 7, text: "a Needle here" },
    { path: "b\nc.txt", line: 1, text: "needle $(id)" },
  ];
  expect(await searchFiles(repo.root, "needle")).toEqual({
    matches: expected,
    cut: false,
    by: "ripgrep",
  });
  expect(await searchFiles(repo.root, "needle", none)).toEqual({
    matches: expected,
    cut: false,
    by: "walk",
  });
  for (const ripgrep of [undefined, none]) {
    const exact = await searchFiles(repo.root, "Needle", ripgrep);
    expect(exact.matches.map(({ path }) => path)).toEqual(["a.txt"]);
    expect((await searchFiles(repo.root, "$(id)", ripgrep)).matches).toHaveLength(1);
    expect((await searchFiles(repo.root, "--pre=id", ripgrep)).matches).toEqual([]);
  }
  const plain = join(repo.place, "plain");
  repo.writeAt(join(plain, "sub/a.txt"), "needle\n");
  const [found] = (await searchFiles(plain, "needle", none)).matches;
  expect(found).toEqual({ path: "sub/a.txt", line: 1, text: "needle" });
  for (let nth = 0; nth < 600; nth++) repo.write(`many/${nth}.txt`, "needle\n");
  expect(await searchFiles(repo.root, "needle")).toMatchObject({ cut: true });
});
