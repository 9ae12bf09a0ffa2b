import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { tempFolder } from "@signalbox/testing/fake-agent";

export type RepositoryStage = ReturnType<typeof openRepositoryStage>;

/** A folder with a repository that has one commit of these files. */
export function openRepositoryStage(files: Record<string, string | Uint8Array>) {
  const temporary = tempFolder();
  const place = temporary.path;
  const root = join(place, "shop");
  mkdirSync(root);
  const writeAt = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  const write = (path: string, text: string | Uint8Array) => writeAt(join(root, path), text);
  const environment = { PATH: process.env["PATH"] ?? "", HOME: place };
  const gitIn = (folder: string, ...args: string[]) => {
    const command = ["git", "-C", folder, "-c", "core.quotePath=false", ...args];
    const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: environment });
    if (exitCode !== 0) throw new Error(`${stderr.toString()}${stdout.toString()}`);
    return stdout.toString().trim();
  };
  const git = (...args: string[]) => gitIn(root, ...args);
  git("init", "-q", "-b", "main");
  git("config", "user.email", "a@example.org");
  git("config", "user.name", "A");
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (Object.keys(files).length > 0) {
    git("add", ".");
    git("commit", "-qm", "one");
  }
  return {
    place,
    root,
    write,
    writeAt,
    git,
    gitIn,
    read: (path: string) => readFileSync(join(root, path), "utf8"),
    readAt: (path: string) => readFileSync(path, "utf8"),
    /** Sets up every program that a repository can bring. Returns what lists those that have run. */
    plantPrograms(): () => string[] {
      const canaries = join(place, "canaries");
      mkdirSync(canaries, { recursive: true });
      const program = (name: string) => {
        const path = join(place, `evil-${name}`);
        writeFileSync(path, `#!/bin/sh\ntouch '${join(canaries, name)}'\ncat\n`);
        chmodSync(path, 0o755);
        return path;
      };
      for (const hook of hooks) {
        const path = join(root, ".git/hooks", hook);
        writeAt(path, `#!/bin/sh\ntouch '${join(canaries, `hook-${hook}`)}'\n`);
        chmodSync(path, 0o755);
      }
      for (const [name, key] of Object.entries(programs)) git("config", key, program(name));
      git("config", "filter.evil.required", "true");
      git("config", "commit.gpgSign", "true");
      git("config", "tag.gpgSign", "true");
      git("config", "credential.useHttpPath", "true");
      git("config", "gc.auto", "1");
      git("config", "merge.evil.name", "evil");
      return () => (existsSync(canaries) ? readdirSync(canaries).toSorted() : []);
    },
    [Symbol.dispose]: () => temporary[Symbol.dispose](),
  };
}

const hooks = [
  "applypatch-msg",
  "pre-applypatch",
  "post-applypatch",
  "pre-commit",
  "pre-merge-commit",
  "prepare-commit-msg",
  "commit-msg",
  "post-commit",
  "pre-rebase",
  "post-checkout",
  "post-merge",
  "pre-push",
  "reference-transaction",
  "pre-auto-gc",
  "post-rewrite",
  "fsmonitor-watchman",
  "post-index-change",
];

const programs = {
  fsmonitor: "core.fsmonitor",
  editor: "core.editor",
  "sequence-editor": "sequence.editor",
  pager: "core.pager",
  "external-diff": "diff.external",
  textconv: "diff.evil.textconv",
  "diff-command": "diff.evil.command",
  clean: "filter.evil.clean",
  smudge: "filter.evil.smudge",
  process: "filter.evil.process",
  merge: "merge.evil.driver",
  gpg: "gpg.program",
  "gpg-ssh": "gpg.ssh.program",
  ssh: "core.sshCommand",
  askpass: "core.askPass",
  credential: "credential.helper",
  "alternate-refs": "core.alternateRefsCommand",
};
