import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseStatus, uncommittedChanges } from "../../src/host/stop-check.ts";
import { tempFolder } from "../driver/fake.ts";

function repository() {
  const folder = tempFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], {
      cwd: folder.path,
    });
  git("init", "-q");
  return { ...folder, git, at: (name: string) => join(folder.path, name) };
}

describe("uncommitted changes", () => {
  test("are none outside a repository, in a clean one, and in a folder that is gone", async () => {
    using folder = tempFolder();
    expect(await uncommittedChanges(folder.path)).toEqual([]);
    expect(await uncommittedChanges(join(folder.path, "gone"))).toEqual([]);
    using clean = repository();
    expect(await uncommittedChanges(clean.path)).toEqual([]);
  });

  test("name new, changed and renamed files, whatever their names", async () => {
    using repo = repository();
    for (const name of ["a.txt", "old.txt", "ü b.txt"]) writeFileSync(repo.at(name), name);
    repo.git("add", ".");
    repo.git("commit", "-qm", "x");
    writeFileSync(repo.at("a.txt"), "changed");
    writeFileSync(repo.at("line\nbreak"), "new");
    renameSync(repo.at("old.txt"), repo.at("new.txt"));
    repo.git("add", "old.txt", "new.txt");
    expect((await uncommittedChanges(repo.path)).toSorted()).toEqual([
      "a.txt",
      "line\nbreak",
      "new.txt",
    ]);
  });

  test("are found without running anything that the repository brings: monitors, hooks, filters", async () => {
    using repo = repository();
    const trap = repo.at(".git/trap");
    writeFileSync(repo.at("a.txt"), "x");
    writeFileSync(repo.at(".gitattributes"), "* filter=evil\n");
    repo.git("add", ".");
    repo.git("commit", "-qm", "x");
    mkdirSync(repo.at(".git/hooks"), { recursive: true });
    repo.git("config", "core.fsmonitor", `touch ${trap}`);
    repo.git("config", "filter.evil.clean", `touch ${trap}; cat`);
    writeFileSync(repo.at("a.txt"), "y");
    expect(await uncommittedChanges(repo.path)).toEqual(["a.txt"]);
    expect(existsSync(trap)).toBe(false);
  });

  test("are read off Git's own form", () => {
    expect(parseStatus("?? new\0R  to\0from\0 M changed\0")).toEqual(["new", "to", "changed"]);
  });
});
