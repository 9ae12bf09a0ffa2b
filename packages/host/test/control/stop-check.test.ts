import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IncomingRequest } from "@signalbox/protocol/wire";
import { type HookContext, createPolicyHooks } from "../../src/control/hooks.ts";
import { git, turnOffPrograms } from "../../src/git/index.ts";
import { parseStatus, uncommittedChanges } from "../../src/control/stop-check.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";

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
  test("are not found outside a repository, in a clean one, and in a folder that does not exist", async () => {
    using folder = tempFolder();
    expect(await uncommittedChanges(folder.path)).toEqual([]);
    expect(await uncommittedChanges(join(folder.path, "gone"))).toEqual([]);
    using clean = repository();
    expect(await uncommittedChanges(clean.path)).toEqual([]);
  });

  test("include new, changed and renamed files, whatever their names", async () => {
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

  test("are found without running filters of odd names, of a worktree's own settings, of submodules, or of a repository that is a folder of files", async () => {
    using repo = repository();
    const trap = repo.at(".git/trap");
    const evil = `touch ${trap}; cat`;
    writeFileSync(repo.at("a.txt"), "x");
    writeFileSync(repo.at(".gitattributes"), "* filter=a=b\n*.w filter=wt\n");
    writeFileSync(repo.at("a.w"), "x");
    repo.git("add", ".");
    repo.git("commit", "-qm", "x");
    repo.git("config", "filter.a=b.clean", evil);
    repo.git("config", "extensions.worktreeConfig", "true");
    repo.git("config", "--worktree", "filter.wt.clean", evil);
    repo.git("config", "filter.a=b.required", "true");
    for (const name of ["a.txt", "a.w"]) writeFileSync(repo.at(name), "y");
    const changes = async (folder: string) => {
      rmSync(trap, { force: true }); // what was done to set it up may have run it
      const found = await uncommittedChanges(folder);
      expect(existsSync(trap)).toBe(false);
      return found.toSorted();
    };
    expect(await changes(repo.path)).toEqual(["a.txt", "a.w"]);

    using inner = repository();
    writeFileSync(inner.at(".gitattributes"), "* filter=sub\n");
    writeFileSync(inner.at("b.txt"), "x");
    inner.git("add", ".");
    inner.git("commit", "-qm", "x");
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", inner.path, "sub");
    repo.git("-C", repo.at("sub"), "config", "filter.sub.clean", evil);
    writeFileSync(repo.at("sub/b.txt"), "y");
    await changes(repo.path);

    // A Git directory among the files of a repository, as somebody can commit one.
    const bare = repo.at("folder");
    mkdirSync(bare);
    repo.git("init", "-q", "--bare", bare);
    repo.git("-C", bare, "config", "core.bare", "false");
    repo.git("-C", bare, "config", "core.worktree", bare);
    repo.git("-C", bare, "config", "core.fsmonitor", evil);
    repo.git("-C", bare, "config", "filter.a=b.clean", evil);
    writeFileSync(join(bare, ".gitattributes"), "* filter=a=b\n");
    await changes(bare);
  });

  test("are not looked for where a filter's name is not text, so that it cannot be turned off", async () => {
    using repo = repository();
    const trap = repo.at(".git/trap");
    const bytes = (text: string) => Buffer.from(text, "latin1");
    writeFileSync(repo.at("a.txt"), "x");
    writeFileSync(repo.at(".gitattributes"), bytes("* filter=evil\xff\n"));
    repo.git("add", ".");
    repo.git("commit", "-qm", "x");
    const clean = `\tclean = "touch ${trap}; cat"\n`;
    appendFileSync(repo.at(".git/config"), bytes(`[filter "evil\xff"]\n${clean}`));
    writeFileSync(repo.at("a.txt"), "y");
    expect(await uncommittedChanges(repo.path)).toEqual([]);
    expect(existsSync(trap)).toBe(false);
    repo.git("status");
    expect(existsSync(trap)).toBe(true); // Git by itself runs it
  });

  test("are found where files have names that are not text", async () => {
    using repo = repository();
    writeFileSync(Buffer.from(repo.at("a\xff.txt"), "latin1"), "x");
    expect(await uncommittedChanges(repo.path)).toEqual(["a\uFFFD.txt"]);
  });

  test("are those of the session's own folder, wherever the agent says that it is", async () => {
    using own = repository();
    using other = repository();
    writeFileSync(own.at("own.txt"), "x");
    writeFileSync(other.at("other.txt"), "x");
    const context = { folder: own.path } as HookContext;
    const [stop] = createPolicyHooks(() => ({ checksStop: true }), context);
    const input = { hook_event_name: "Stop", cwd: other.path };
    const answer = await stop?.run(input, {} as IncomingRequest);
    expect(JSON.stringify(answer)).toContain("own.txt");
    expect(JSON.stringify(answer)).not.toContain("other.txt");
  });

  test("are read from Git's own format", () => {
    expect(parseStatus("?? new\0R  to\0from\0 M changed\0")).toEqual(["new", "to", "changed"]);
  });
});

describe("what Git runs by its configuration", () => {
  test("is turned off by name: hooks of everyone's, and filters of the repository's alone or of everyone's", async () => {
    using repo = repository();
    for (const name of ["hook.a.b.command", "hook.c.event", "filter.x=y.clean"])
      repo.git("config", name, "./evil.sh");
    using home = tempFolder();
    const own = '[hook "own"]\n\tcommand = x\n[filter "lfs"]\n\tsmudge = x\n\trequired\n';
    writeFileSync(join(home.path, ".gitconfig"), own);
    const before = process.env["HOME"];
    process.env["HOME"] = home.path;
    try {
      const hooks = {
        "hook.a.b.enabled": "false",
        "hook.c.enabled": "false",
        "hook.own.enabled": "false",
      };
      const filters = { "filter.x=y.clean": "", "filter.x=y.required": "false" };
      expect(await turnOffPrograms(repo.path)).toEqual({ ...hooks, ...filters });
      const lfs = { "filter.lfs.smudge": "", "filter.lfs.required": "false" };
      expect(await turnOffPrograms(repo.path, true)).toEqual({ ...hooks, ...filters, ...lfs });
    } finally {
      process.env["HOME"] = before;
    }
  });

  test("is turned off for every command and event, too, for versions of Git that can", async () => {
    using repo = repository();
    for (const event of ["post-checkout", "post-index-change", "reference-transaction"]) {
      expect(await git(repo.path, ["config", `hook.${event}.enabled`])).toBe("false\n");
    }
  });
});
