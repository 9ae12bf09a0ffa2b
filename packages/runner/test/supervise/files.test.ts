import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rankFiles, findFiles } from "../../src/supervise/find-files.ts";
import { listFolder } from "../../src/supervise/folders.ts";
import { fakeAgent, tempFolder } from "@signalbox/testing/fake-agent";
import { openRunner } from "./runner-stage.ts";

setDefaultTimeout(180_000);

function touch(...parts: string[]) {
  writeFileSync(join(...parts), "");
}

function git(folder: string, ...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder };
  const { exitCode, stderr } = Bun.spawnSync(["git", "-C", folder, ...args], { env });
  if (exitCode !== 0) throw new Error(stderr.toString());
}

describe("folders", () => {
  test("[LK21] lists the folders in a folder, hidden ones last, and marks repositories", async () => {
    using folder = tempFolder();
    for (const name of ["b", ".hidden", "a", "a/.git"]) mkdirSync(join(folder.path, name));
    touch(folder.path, "file");
    symlinkSync(join(folder.path, "a"), join(folder.path, "link"));
    symlinkSync("/no/such/place", join(folder.path, "broken"));
    const listed = await listFolder(folder.path);
    expect(listed.path).toBe(folder.path);
    expect(listed.parent).not.toBeNull();
    expect(listed.folders).toEqual([
      { name: "a", repository: true },
      { name: "b", repository: false },
      { name: "link", repository: true },
      { name: ".hidden", repository: false },
    ]);
    expect((await listFolder("/")).parent).toBeNull();
  });

  test.each(["relative", "/no/such/folder", import.meta.path, "/tmp\0/x"])(
    "[LK21] %p is refused with a sentence",
    async (path) => {
      const failure: unknown = await listFolder(path).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "folder-unusable" });
      expect(String(failure)).toContain("The folder");
    },
  );
});

describe("files", () => {
  test("[LK21] in a repository are those that Git knows and does not ignore, and no program of the repository runs", async () => {
    using folder = tempFolder();
    const canary = join(folder.path, "canary");
    git(folder.path, "init", "-q");
    const trap = join(folder.path, "trap.sh");
    writeFileSync(trap, `#!/bin/sh\ntouch ${canary}\n`);
    chmodSync(trap, 0o755);
    git(folder.path, "config", "core.fsmonitor", trap);
    git(folder.path, "config", "core.hooksPath", folder.path);
    const names = ["-rf", "$(touch canary)", "a b", "new\nline", "ünï", "; touch canary"];
    for (const name of names) touch(folder.path, name);
    writeFileSync(join(folder.path, ".gitignore"), "ignored\n");
    touch(folder.path, "ignored");
    const found = await findFiles(folder.path, "");
    expect(found.toSorted()).toEqual([...names, ".gitignore", "trap.sh"].toSorted());
    expect(await findFiles(folder.path, "$(TOUCH")).toEqual(["$(touch canary)"]);
    expect(await findFiles(folder.path, "--help")).toEqual([]);
    expect(existsSync(canary)).toBe(false);
  });

  test("[LK21] outside a repository are found by a walk that follows no link and skips generated files", async () => {
    using outside = tempFolder();
    touch(outside.path, "secret");
    using folder = tempFolder();
    for (const name of ["src/deep", "node_modules/x"]) {
      mkdirSync(join(folder.path, name), { recursive: true });
      touch(folder.path, name, "file.ts");
    }
    symlinkSync(outside.path, join(folder.path, "link"));
    expect((await findFiles(folder.path, "")).toSorted()).toEqual(["link", "src/deep/file.ts"]);
    expect(await findFiles(folder.path, "secret")).toEqual([]);
  });

  test("are ordered by relevance: the name begins with the text, contains it, or the path contains it", () => {
    const files = ["host/x.ts", "src/my-host.ts", "src/host.ts", "src/host.test.ts", "other"];
    expect(rankFiles(files, "Host")).toEqual([
      "src/host.ts",
      "src/host.test.ts",
      "src/my-host.ts",
      "host/x.ts",
    ]);
    expect(
      rankFiles(
        Array.from({ length: 1000 }, (_, n) => `f${n}`),
        "f",
      ),
    ).toHaveLength(50);
  });
});

describe("by order", () => {
  test("programs, folders and files are found, and a failure is reported with a sentence", async () => {
    await using stage = await openRunner();
    const { hub } = stage;
    const found = await hub.order({ kind: "find-agent", path: fakeAgent });
    expect(found.result).toEqual({ path: fakeAgent, version: "2.1.325", versionClass: "tested" });
    const missing = await hub.order({ kind: "find-agent", path: "/no/such/program" });
    expect(missing.problem).toMatchObject({ code: "not-found" });
    const folder = await hub.order({ kind: "list-folder", path: stage.place });
    expect(folder.result).toMatchObject({ folders: [{ name: "data" }] });
    const files = await hub.order({ kind: "find-files", folder: stage.place, query: "lock" });
    expect(files.result).toEqual(["data/runner.lock"]);
  });
});
