import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { PullRequest, PushResult, RemoteState } from "@signalbox/api";
import type { FolderOrder } from "@signalbox/api/link";
import { FolderChanges } from "../../src/changes/changes.ts";
import { parseRemoteAddress } from "../../src/changes/remote-address.ts";
import { openRepositoryStage } from "./repository-stage.ts";

setDefaultTimeout(180_000);

const { HOME, PATH } = process.env;
afterEach(() => Object.assign(process.env, { HOME, PATH }));

const URL = "git@github.example:team/shop.git";
/** A real gh in a system folder goes before the one of the test. */
const hasOwnGh = ["/usr/bin/gh", "/bin/gh", "/usr/local/bin/gh"].some((path) => existsSync(path));

/** A repository with a remote behind the person's own ssh command, and a gh on the PATH. */
function openRemoteStage() {
  const repo = openRepositoryStage({ "a.txt": "a\n" });
  const served = join(repo.place, "served/team");
  mkdirSync(served, { recursive: true });
  repo.gitIn(served, "init", "-q", "--bare", "shop.git");
  const script = (path: string, text: string) => {
    repo.writeAt(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const serve = `for last; do :; done; cd '${join(served, "..")}' && eval "$last"`;
  const ssh = script(join(repo.place, "ssh.sh"), `[ "$1" = -G ] || { ${serve}; }`);
  repo.writeAt(join(repo.place, ".gitconfig"), `[core]\n\tsshCommand = ${ssh}\n`);
  const programs = join(repo.place, "programs");
  mkdirSync(programs);
  copyFileSync(join(import.meta.dirname, "fake-gh.sh"), join(programs, "gh"));
  Object.assign(process.env, { HOME: repo.place, PATH: `${programs}:${PATH}` });
  repo.git("remote", "add", "origin", URL);
  const changes = new FolderChanges({ revertsFolder: join(repo.place, "reverts") });
  const trust = { isTrusted: async () => false };
  const send = (order: object) =>
    changes.execute({ folder: repo.root, ...order } as unknown as FolderOrder, trust);
  const remote = () => send({ kind: "read-remote" }) as Promise<RemoteState>;
  return {
    ...repo,
    script,
    send,
    remote,
    bare: (...args: string[]) => repo.gitIn(join(served, "shop.git"), ...args),
    hook: (name: string, text: string) => script(join(served, "shop.git/hooks", name), text),
    gh: join(programs, "state"),
    async push(more: object = {}) {
      const { branch, commit } = await remote();
      const push = { remote: "origin", url: URL, branch, commit, ...more };
      return send({ kind: "push", push }) as Promise<PushResult>;
    },
  };
}

test("[CG40] the branch that was shown is pushed with the person's own means, and nothing of the repository runs", async () => {
  using repo = openRemoteStage();
  const canary = repo.plantPrograms();
  repo.git("config", "remote.origin.receivepack", join(repo.place, "evil-ssh"));
  repo.git("config", "remote.origin.pushurl", URL);
  const before = await repo.remote();
  expect(before).toMatchObject({ branch: "main", remote: "origin" });
  expect(before.remotes).toEqual([
    expect.objectContaining({ url: URL, problem: null, base: null }),
  ]);
  expect(before.unpushed.map(({ subject }) => subject)).toEqual(["one"]);
  await repo.push();
  expect(repo.bare("rev-parse", "main")).toBe(repo.git("rev-parse", "HEAD"));
  expect(canary()).toEqual([]);
  expect(repo.git("rev-parse", "--abbrev-ref", "main@{u}")).toBe("origin/main");
  expect((await repo.remote()).unpushed).toEqual([]);

  const other = { code: "stale-remote" };
  expect(repo.push({ commit: "0".repeat(40) })).rejects.toMatchObject(other);
  expect(repo.push({ branch: "other" })).rejects.toMatchObject(other);
  expect(repo.push({ remote: "--all" })).rejects.toMatchObject(other);
  repo.git("config", "remote.origin.pushurl", "git@evil.example:team/shop.git");
  expect(repo.push()).rejects.toMatchObject(other);
  // Another address by a rewriting rule of the repository is another address.
  repo.git("config", "remote.origin.pushurl", URL);
  repo.git("config", "url.git@evil.example:.insteadOf", "git@github.example:");
  expect(repo.push()).rejects.toMatchObject(other);
});

test("[CG40] what the remote does not take is said in its words, and a branch is replaced only if it is as it was seen", async () => {
  using repo = openRemoteStage();
  await repo.push();
  repo.write("a.txt", "b\n");
  repo.git("commit", "-qa", "--amend", "-m", "again");
  expect(repo.push()).rejects.toMatchObject({ code: "push-rejected" });
  repo.bare("update-ref", "refs/heads/saved", "main");
  const tree = repo.bare("rev-parse", "main^{tree}");
  const identity = ["-c", "user.name=B", "-c", "user.email=b@example.org"];
  const later = repo.bare(...identity, "commit-tree", tree, "-p", "main", "-m", "somebody else's");
  repo.bare("update-ref", "refs/heads/main", later);
  expect(repo.push({ force: true })).rejects.toMatchObject({ code: "push-rejected" });
  expect(repo.bare("rev-parse", "main")).toBe(later);
  repo.bare("update-ref", "refs/heads/main", "saved");
  await repo.push({ force: true });
  expect(repo.bare("log", "-1", "--format=%s", "main")).toBe("again");

  repo.git("switch", "-qc", "hostile;$(id)`id`");
  repo.hook("pre-receive", "echo 'no thanks' >&2; exit 1");
  const refused = (await repo.push().catch((failure: unknown) => failure)) as Error;
  expect(refused).toMatchObject({ code: "push-rejected" });
  expect(refused.message).toContain("no thanks");
  repo.script(join(repo.place, "ssh.sh"), "echo 'Permission denied (publickey).' >&2; exit 255");
  expect(repo.push()).rejects.toMatchObject({ code: "not-signed-in" });
  repo.write(".gitattributes", "*.bin filter=lfs\n");
  repo.git("add", ".gitattributes");
  repo.git("commit", "-qm", "large files");
  expect(repo.push()).rejects.toMatchObject({ code: "filter-off" });
});

test("[CG40] only addresses of https and ssh are pushed to, and shown without a password", () => {
  const read = (url: string) => {
    const { shown, problem, host, repository } = parseRemoteAddress(url);
    return problem === null ? [shown, host, repository] : null;
  };
  expect(read("https://user:secret@github.com/a/b.git")).toEqual([
    "https://github.com/a/b.git",
    "github.com",
    "a/b",
  ]);
  expect(read("ssh://git@host.example:22/g/sub/b")).toEqual([
    "ssh://git@host.example:22/g/sub/b",
    "host.example",
    "g/sub/b",
  ]);
  expect(read("git@github.com:a/b.git")).toEqual(["git@github.com:a/b.git", "github.com", "a/b"]);
  const others = [
    "ext::sh -c id",
    "/srv/repo.git",
    "../x",
    "file:///srv/x",
    "http://h/a/b",
    "git://h/a",
  ];
  const strange = [
    "-oProxyCommand=id:a/b",
    "git@-oProxyCommand=id:a/b",
    "ssh://-oProxyCommand=id/a",
    "",
  ];
  for (const url of [...others, ...strange, "fd::17", "a::b"])
    expect([url, read(url)]).toEqual([url, null]);
});

test.skipIf(hasOwnGh)(
  "[CG41] a pull request is opened through gh, and its checks and review comments are read",
  async () => {
    using repo = openRemoteStage();
    repo.git("switch", "-qc", "fix/it");
    await repo.push();
    expect((await repo.remote()).remotes[0]?.tool).toBe("gh");
    const place = { remote: "origin", url: URL, branch: "fix/it" };
    const read = async () =>
      ((await repo.send({ kind: "read-pull-request", of: place })) as { found: PullRequest }).found;
    expect(await read()).toBeNull();
    const request = { ...place, base: "main", title: "--web", body: "-x\n$(id)\n", draft: true };
    const made = (await repo.send({ kind: "create-pull-request", request })) as PullRequest;
    expect(made).toEqual(await read());
    expect(made).toMatchObject({ number: 7, state: "open", decision: "changes-requested" });
    expect(made.checks).toEqual([
      { name: "test", state: "failed", url: "https://github.example/run/1" },
      { name: "build", state: "pending", url: null },
      { name: "ci/old", state: "passed", url: "https://ci.example" },
    ]);
    expect(made.comments.map(({ author, text, path, line }) => [author, text, path, line])).toEqual(
      [
        ["ana", "Please rename it.", null, null],
        ["ana", "This name says nothing.", "a.txt", 2],
        ["ben", "Looks close.", null, null],
      ],
    );
    const calls = readFileSync(join(repo.gh, "calls"), "utf8");
    expect(calls).toContain(
      "--repo=github.example/team/shop\n--head=fix/it\n--base=main\n--title=--web\n",
    );
    expect(calls).toContain("cwd=\n"); // nothing of the repository is there
    expect(readFileSync(join(repo.gh, "body"), "utf8")).toBe("-x\n$(id)\n");

    writeFileSync(join(repo.gh, "signed-out"), "");
    expect(read()).rejects.toMatchObject({ code: "not-signed-in" });
    process.env["PATH"] = PATH;
    expect(read()).rejects.toMatchObject({ code: "no-code-host" });
    repo.git("remote", "set-url", "origin", "/srv/elsewhere.git");
    expect(read()).rejects.toMatchObject({ code: "stale-remote" });
  },
);
