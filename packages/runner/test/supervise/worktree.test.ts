import { expect, setDefaultTimeout, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { readBranch } from "../../src/supervise/branch.ts";
import { readOutput } from "../../src/supervise/read-output.ts";
import { isolateGit } from "@signalbox/host/git";
import { bubblewrapMissing } from "@signalbox/testing/attacks";
import { makeWorktree } from "../../src/supervise/worktree.ts";
import { tempFolder } from "@signalbox/testing/fake-agent";
import { repository as signalboxFolder } from "@signalbox/testing/programs";

setDefaultTimeout(180_000);

/** A repository with one commit, in a place of its own. */
function repository() {
  const place = tempFolder();
  const root = join(place.path, "shop");
  mkdirSync(join(root, "src"), { recursive: true });
  const tryGit = (...args: string[]) => {
    const env = { PATH: process.env["PATH"] ?? "", HOME: place.path };
    return Bun.spawnSync(["git", "-C", root, ...args], { env });
  };
  const git = (...args: string[]) => {
    const { exitCode, stdout, stderr } = tryGit(...args);
    if (exitCode !== 0) throw new Error(stderr.toString());
    return stdout.toString().trim();
  };
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.org");
  git("config", "user.name", "A");
  writeFileSync(join(root, "src/a.txt"), "a");
  git("add", ".");
  git("commit", "-qm", "one");
  return { place, root, git, tryGit, [Symbol.dispose]: () => place[Symbol.dispose]() };
}
type Repository = ReturnType<typeof repository>;
const why = (made: Promise<unknown>) => made.then(String, (failure: Error) => failure.message);

test("[LK34] a worktree is created beside its repository, on a new or an existing branch", async () => {
  using repo = repository();
  const made = await makeWorktree(join(repo.root, "src"), "fix/cart");
  expect(made.folder).toBe(`${repo.root}.worktrees/fix-cart/src`);
  expect(existsSync(join(made.folder, "a.txt"))).toBe(true);
  expect(repo.git("rev-parse", "fix/cart")).toBe(repo.git("rev-parse", "main"));
  repo.git("branch", "old");
  const again = await makeWorktree(made.folder, "old"); // from within a worktree: beside the same
  expect(again.folder).toBe(`${repo.root}.worktrees/old/src`);
  expect(repo.git("rev-parse", "--abbrev-ref", "HEAD")).toBe("main");
});

test("[LK42] a folder's branch is read, in a worktree too, and there is none without one", async () => {
  using repo = repository();
  using outside = tempFolder();
  expect(await readBranch(join(repo.root, "src"))).toEqual({ branch: "main" });
  const { folder } = await makeWorktree(repo.root, "fix/cart");
  expect(await readBranch(folder)).toEqual({ branch: "fix/cart" });
  repo.git("checkout", "-q", "--detach");
  expect(await readBranch(repo.root)).toEqual({});
  expect(await readBranch(outside.path)).toEqual({});
  expect(await why(readBranch(repo.root, [outside.path]))).toContain("allowed");
});

test("[LK34] an obstacle is reported, and nothing is left behind", async () => {
  using repo = repository();
  using outside = tempFolder();
  expect(await why(makeWorktree(outside.path, "x"))).toContain("is not in a Git repository");
  expect(await why(makeWorktree(repo.root, "-x; touch y"))).toContain("is not a valid branch name");
  expect(await why(makeWorktree(repo.root, "main"))).toContain(
    `the branch main is already checked out in ${repo.root}`,
  );
  const { folder } = await makeWorktree(repo.root, "busy");
  expect(await why(makeWorktree(repo.root, "busy"))).toContain(`checked out in ${folder}`);
  mkdirSync(`${repo.root}.worktrees/taken`);
  writeFileSync(`${repo.root}.worktrees/taken/file`, "");
  expect(await why(makeWorktree(repo.root, "taken"))).toContain("Git failed:");
  expect(repo.git("branch", "--list", "taken")).toBe("");
  const empty = join(outside.path, "empty");
  Bun.spawnSync(["git", "init", "-q", empty]);
  expect(await why(makeWorktree(empty, "x"))).toContain("has no commits yet");
});

test("[LK34] creating a worktree runs nothing that the repository brings", async () => {
  using repo = repository();
  const canary = join(repo.place.path, "canary");
  const trap = join(repo.root, ".git/hooks/post-checkout");
  mkdirSync(join(repo.root, ".git/hooks"), { recursive: true });
  writeFileSync(trap, `#!/bin/sh\ntouch ${canary}\n`);
  chmodSync(trap, 0o755);
  repo.git("config", "filter.evil.smudge", `touch ${canary}; cat`);
  repo.git("config", "filter.evil.clean", "cat");
  repo.git("config", "filter.evil.required", "true");
  writeFileSync(join(repo.root, ".gitattributes"), "*.txt filter=evil\n");
  repo.git("add", ".gitattributes");
  repo.git("commit", "-qm", "two");
  const { folder } = await makeWorktree(repo.root, "calm");
  expect(await Bun.file(join(folder, "src/a.txt")).text()).toBe("a");
  expect(existsSync(canary)).toBe(false);
});

/** Each makes `program` a part of the repository's Git configuration; `x` is the filter of its text files. */
const hostile: Readonly<Record<string, (repo: Repository, program: string) => void>> = {
  "a filter that changes files": ({ git }, program) => {
    git("config", "filter.x.smudge", program);
    git("config", "filter.x.required", "true");
  },
  "a filter that is a process": ({ git }, program) => git("config", "filter.x.process", program),
  "a filter of the worktree's settings": ({ git }, program) => {
    git("config", "extensions.worktreeConfig", "true");
    git("config", "--worktree", "filter.x.smudge", program);
  },
  "a filter of an included file": ({ root, git }, program) => {
    writeFileSync(join(root, ".git/more"), `[filter "x"]\n\tsmudge = ${program}\n`);
    git("config", "include.path", "more");
  },
  "a filter that counts on the new branch alone": ({ root, git }, program) => {
    writeFileSync(join(root, ".git/more"), `[filter "x"]\n\tsmudge = ${program}\n`);
    git("config", "includeIf.onbranch:calm.path", "more");
  },
  "a filter that counts in worktrees alone": ({ root, git }, program) => {
    writeFileSync(join(root, ".git/more"), `[filter "x"]\n\tsmudge = ${program}\n`);
    git("config", "includeIf.gitdir:**/worktrees/**.path", "more");
  },
  "a monitor": ({ git }, program) => git("config", "core.fsmonitor", program),
  "a folder of hooks": ({ place, git }, program) => {
    const hooks = join(place.path, "hooks");
    mkdirSync(hooks);
    for (const name of ["post-checkout", "post-index-change", "reference-transaction"]) {
      writeFileSync(join(hooks, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    }
    git("config", "core.hooksPath", hooks);
  },
  "a remote that is asked for what is missing": ({ root, git }, program) => {
    const lost = git("rev-parse", "HEAD:src/a.txt");
    rmSync(join(root, ".git/objects", lost.slice(0, 2), lost.slice(2)));
    git("config", "extensions.partialClone", "origin");
    git("config", "remote.origin.url", root);
    git("config", "remote.origin.promisor", "true");
    git("config", "remote.origin.uploadpack", `${program} < /dev/null;`);
  },
};
const filterNames = ["x", "a=b.c", "UPPER", 'quo"te', "back\\slash", "-c", "ü", "%s"];

test.each(Object.entries(hostile))(
  "[LK34] creating a worktree runs nothing of the repository's Git configuration: %s",
  async (_, plant) => {
    using repo = repository();
    writeFileSync(join(repo.root, ".gitattributes"), "*.txt filter=x\n");
    repo.git("add", ".gitattributes");
    repo.git("commit", "-qm", "two");
    const canary = join(repo.place.path, "canary");
    const program = join(repo.place.path, "program.sh");
    writeFileSync(program, `#!/bin/sh\ntouch ${canary}\ncat\n`, { mode: 0o755 });
    plant(repo, program);
    rmSync(canary, { force: true });
    await makeWorktree(repo.root, "calm").catch((failure: Error) => {
      expect(failure.message).toContain("Git failed:"); // a file that is missing stays so
    });
    expect(existsSync(canary)).toBe(false);
    rmSync(`${repo.root}.worktrees`, { recursive: true, force: true });
    repo.git("worktree", "prune");
    repo.tryGit("branch", "-D", "calm");
    repo.tryGit("worktree", "add", "-q", "-b", "calm", join(repo.place.path, "by-git"));
    expect(existsSync(canary)).toBe(true); // Git by itself runs it
  },
);

test.each(filterNames)(
  "[LK34] creating a worktree runs no filter, whatever its name: %s",
  async (name) => {
    using repo = repository();
    const canary = join(repo.place.path, "canary");
    writeFileSync(join(repo.root, ".gitattributes"), `*.txt filter=${name}\n`);
    repo.git("add", ".gitattributes");
    repo.git("commit", "-qm", "two");
    repo.git("config", `filter.${name}.smudge`, `touch ${canary}; cat`);
    repo.git("config", `filter.${name}.required`, "true");
    const { folder } = await makeWorktree(repo.root, "calm");
    expect(await Bun.file(join(folder, "src/a.txt")).text()).toBe("a");
    expect(existsSync(canary)).toBe(false);
  },
);

test("[LK34] creating a worktree is refused where a filter's name is not text, so that it cannot be turned off", async () => {
  using repo = repository();
  const canary = join(repo.place.path, "canary");
  const bytes = (text: string) => Buffer.from(text, "latin1");
  writeFileSync(join(repo.root, ".gitattributes"), bytes("*.txt filter=x\xff\n"));
  repo.git("add", ".gitattributes");
  repo.git("commit", "-qm", "two");
  const smudge = `\tsmudge = "touch ${canary}; cat"\n`;
  appendFileSync(join(repo.root, ".git/config"), bytes(`[filter "x\xff"]\n${smudge}`));
  expect(await why(makeWorktree(repo.root, "calm"))).toContain("is not valid UTF-8");
  expect(existsSync(canary)).toBe(false);
  expect(existsSync(`${repo.root}.worktrees`)).toBe(false);
  expect(repo.git("branch", "--list", "calm")).toBe("");
  repo.tryGit("worktree", "add", "-q", "-b", "calm", join(repo.place.path, "by-git"));
  expect(existsSync(canary)).toBe(true); // Git by itself runs it
});

test.skipIf(bubblewrapMissing !== undefined)(
  "[LK34] while a worktree is created Git writes nowhere but in the Git directory and in the worktree",
  async () => {
    using repo = repository();
    const home = process.env["HOME"];
    const program = join(signalboxFolder, "packages/planted-by-a-test");
    const places = [repo.root, join(repo.place.path, "elsewhere"), "/tmp", "/var/tmp"];
    const canaries = [
      ...places.map((place) => join(place, `canary-${crypto.randomUUID()}`)),
      program,
    ];
    mkdirSync(join(repo.place.path, "elsewhere"));
    // As if the agent had set up the filter after the programs were turned off: one that is the person's own runs.
    const smudge = [...canaries.map((path) => `touch ${path}`), "touch written", "cat"];
    const script = join(repo.place.path, "smudge.sh");
    writeFileSync(script, `#!/bin/sh\n${smudge.join("; ")}\n`, { mode: 0o755 });
    writeFileSync(join(repo.root, ".gitattributes"), "*.txt filter=own\n");
    repo.git("add", ".gitattributes");
    repo.git("commit", "-qm", "two");
    const config = `[safe]\n\tdirectory = *\n[filter "own"]\n\tsmudge = ${script}\n`;
    writeFileSync(join(repo.place.path, ".gitconfig"), config);
    process.env["HOME"] = repo.place.path;
    isolateGit([]);
    try {
      const { folder } = await makeWorktree(repo.root, "calm");
      expect(await Bun.file(join(folder, "src/a.txt")).text()).toBe("a");
      expect(existsSync(join(folder, "written"))).toBe(true);
      expect(canaries.filter((path) => existsSync(path))).toEqual([]);
      writeFileSync(script, "#!/bin/sh\nexit 1\n");
      repo.tryGit("config", "--global", "filter.own.required", "true");
      expect(await why(makeWorktree(repo.root, "broken"))).toContain("Git failed:");
      expect(existsSync(`${repo.root}.worktrees/broken`)).toBe(false);
      expect(repo.git("branch", "--list", "broken")).toBe("");
      expect(repo.git("worktree", "list")).not.toContain("broken");
    } finally {
      isolateGit([]);
      process.env["HOME"] = home;
      for (const path of canaries) rmSync(path, { force: true });
    }
  },
);

test("[LK34] hooks that the configuration sets up are off in both steps of creating a worktree", async () => {
  using repo = repository();
  const home = process.env["HOME"];
  // A filter of the person's own shows with which settings Git was started.
  writeFileSync(join(repo.root, ".gitattributes"), "*.txt filter=own\n");
  repo.git("add", ".gitattributes");
  repo.git("commit", "-qm", "two");
  const smudge = '"env | grep ^GIT_CONFIG_KEY > seen; cat"';
  writeFileSync(join(repo.place.path, ".gitconfig"), `[filter "own"]\n\tsmudge = ${smudge}\n`);
  // The first counts where the worktree is added, the second where its files are checked out.
  for (const [name, where] of [
    ["first", "**/shop/.git"],
    ["second", "**/worktrees/**"],
  ]) {
    const hook = `[hook "${name}"]\n\tevent = post-checkout\n\tcommand = ./evil.sh\n`;
    writeFileSync(join(repo.root, ".git", `${name}.config`), hook);
    repo.git("config", `includeIf.gitdir:${where}.path`, `${name}.config`);
  }
  process.env["HOME"] = repo.place.path;
  try {
    const { folder } = await makeWorktree(repo.root, "calm");
    const seen = await Bun.file(join(folder, "seen")).text();
    expect(seen).toContain("=hook.first.enabled\n");
    expect(seen).toContain("=hook.second.enabled\n");
  } finally {
    process.env["HOME"] = home;
  }
});

test("[LK34] no worktree is created through a link in its place", async () => {
  using repo = repository();
  using outside = tempFolder();
  mkdirSync(`${repo.root}.worktrees`);
  symlinkSync(outside.path, `${repo.root}.worktrees/calm`);
  expect(await why(makeWorktree(repo.root, "calm"))).toContain("calm is a link");
  expect(readdirSync(outside.path)).toEqual([]);
  expect(repo.git("branch", "--list", "calm")).toBe("");
});

test("[LK35] the end of a background command's output can be read, and no other file", async () => {
  using place = tempFolder();
  const tasks = join(place.path, "tasks");
  mkdirSync(tasks);
  const path = join(tasks, "b1.output");
  writeFileSync(path, "");
  expect(await readOutput(path)).toEqual({ text: "", bytes: 0 });
  writeFileSync(path, `begin\n${"é".repeat(20_000)}!end`);
  const { text, bytes } = await readOutput(path);
  expect([bytes, text.length < 20_000]).toEqual([40_010, true]);
  expect(text.replaceAll("é", "")).toBe("!end");
  writeFileSync(join(place.path, "secret"), "secret");
  symlinkSync(join(place.path, "secret"), join(tasks, "b2.output"));
  mkdirSync(join(tasks, "b3.output"));
  Bun.spawnSync(["mkfifo", join(tasks, "b4.output")]);
  for (const other of ["b2.output", "b3.output", "b4.output", "none.output", "../secret"]) {
    expect(await why(readOutput(join(tasks, other)))).toContain("is no longer available");
  }
  expect(await why(readOutput("tasks/b1.output"))).toContain("is no longer available");
});
