import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A repository whose Git configuration runs a program when Git is asked for its state or its log. */
export interface GitWay {
  readonly name: string;
  /** Makes it of an ordinary repository; answers with the folder in which a session begins. */
  readonly plant: (repository: GitRepository) => string;
  /** A part of what the question must say. */
  readonly names: string;
}

/** An ordinary repository with one commit, and a program that leaves a canary. */
export class GitRepository {
  readonly folder: string;
  readonly program: string;
  readonly canary: string;

  constructor(place: string) {
    this.folder = join(place, "repository");
    this.program = join(place, "program.sh");
    this.canary = join(place, "canary");
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(this.program, `#!/bin/sh\ntouch ${this.canary}\ncat\n`, { mode: 0o755 });
    this.git("init", "-q", "-b", "main");
    this.put("a.txt", "a");
    this.git("add", ".");
    this.git("commit", "-qm", "one");
  }

  put(file: string, text: string): void {
    const path = join(this.folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  configure(text: string, file = ".git/config"): void {
    appendFileSync(join(this.folder, file), text);
  }

  git(...args: string[]): string {
    const env = { PATH: process.env["PATH"] ?? "", HOME: this.folder };
    const person = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    return this.#run(["-C", this.folder, ...person, ...args], env);
  }

  /** What Claude Code 2.1.7 does at its start: it shows whether the attack is one. */
  askForState(folder: string): void {
    const env = { PATH: process.env["PATH"] ?? "", HOME: dirname(this.folder) };
    this.#run(["-C", folder, "status", "--short"], env);
    this.#run(["-C", folder, "log", "--oneline", "-n", "5"], env);
  }

  #run(args: string[], env: Record<string, string>): string {
    return execFileSync("git", args, { env, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });
  }
}

/** The program runs on `a.txt` whenever Git has to look into it. */
function filter(repository: GitRepository, name: string): void {
  repository.put(".gitattributes", `*.txt filter=${name}\n`);
  repository.put("a.txt", "b");
}

export const gitWays: readonly GitWay[] = [
  {
    name: "two headers on one line",
    plant: (repository) => {
      repository.configure(`[user][core]\n\tfsmonitor = ${repository.program}\n`);
      return repository.folder;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "a comment that ends in a backslash",
    plant: (repository) => {
      repository.configure(`[core]\n# a comment \\\n\tfsmonitor = ${repository.program}\n`);
      return repository.folder;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "config.worktree",
    plant: (repository) => {
      repository.configure("[extensions]\n\tworktreeConfig = true\n");
      repository.configure(`[core]\n\tfsmonitor = ${repository.program}\n`, ".git/config.worktree");
      return repository.folder;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "signatures that the log shows",
    plant: (repository) => {
      const tree = repository.git("rev-parse", "HEAD^{tree}").trim();
      const who = "a <a@example.org> 1700000000 +0000";
      const signature = "-----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----";
      repository.put(
        ".git/signed",
        `tree ${tree}\nauthor ${who}\ncommitter ${who}\ngpgsig ${signature}\n\nsigned\n`,
      );
      const path = join(repository.folder, ".git/signed");
      const commit = repository.git("hash-object", "-t", "commit", "-w", path).trim();
      repository.git("reset", "-q", "--hard", commit);
      repository.configure(
        `[log]\n\tshowSignature = true\n[gpg]\n\tprogram = ${repository.program}\n`,
      );
      return repository.folder;
    },
    names: "gpg.program = ",
  },
  {
    name: "a Git directory among the files",
    plant: (repository) => {
      const bare = join(repository.folder, "vendor");
      repository.git("clone", "-q", "--bare", repository.folder, bare);
      repository.configure(
        `[core]\n\tbare = false\n\tworktree = ${bare}\n\tfsmonitor = ${repository.program}\n`,
        "vendor/config",
      );
      return bare;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "an included file",
    plant: (repository) => {
      repository.put("more.cfg", `[core]\n\tfsmonitor = ${repository.program}\n`);
      repository.configure('[includeIf "onbranch:main"]\n\tpath = ../more.cfg\n');
      return repository.folder;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "an included file outside of the repository",
    plant: (repository) => {
      const path = `${repository.folder}.cfg`;
      writeFileSync(path, `[core]\n\tfsmonitor = ${repository.program}\n`);
      repository.configure(`[include]\n\tpath = ${path}\n`);
      return repository.folder;
    },
    names: "which is not in the repository",
  },
  {
    name: "a hook that runs when Git has read the files",
    plant: (repository) => {
      repository.put(".git/hooks/post-index-change", `#!/bin/sh\ntouch ${repository.canary}\n`);
      chmodSync(join(repository.folder, ".git/hooks/post-index-change"), 0o755);
      repository.git("update-index", "--force-remove", "a.txt"); // Git writes what it reads anew
      repository.git(
        "update-index",
        "--add",
        "--cacheinfo",
        `100644,${repository.git("rev-parse", "HEAD:a.txt").trim()},a.txt`,
      );
      return repository.folder;
    },
    names: "post-index-change: ",
  },
  {
    name: "a filter of an odd name",
    plant: (repository) => {
      filter(repository, "x=y.z");
      repository.configure(`[filter "x=y.z"]\n\tclean = ${repository.program}\n\trequired\n`);
      return repository.folder;
    },
    names: "filter.x=y.z.clean = ",
  },
  {
    name: "a submodule",
    plant: (repository) => {
      const other = new GitRepository(join(dirname(repository.folder), "other"));
      const allowed = ["-c", "protocol.file.allow=always"];
      repository.git(...allowed, "submodule", "add", "-q", other.folder, "sub");
      repository.git("commit", "-qm", "two");
      repository.configure(
        `[core]\n\tfsmonitor = ${repository.program}\n`,
        ".git/modules/sub/config",
      );
      return repository.folder;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "a submodule with a Git directory of its own",
    plant: (repository) => {
      const inner = new GitRepository(join(repository.folder, "sub"));
      repository.put(".gitmodules", "");
      repository.git(
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${inner.git("rev-parse", "HEAD").trim()},sub/repository`,
      );
      inner.configure(`[core]\n\tfsmonitor = ${repository.program}\n`);
      return repository.folder;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "a submodule whose files are said to lie elsewhere",
    plant: (repository) => {
      const addGitlink = (folder: string, path: string, target: GitRepository) => {
        const entry = `160000,${target.git("rev-parse", "HEAD").trim()},${path}`;
        repository.git("-C", folder, "update-index", "--add", "--cacheinfo", entry);
      };
      addGitlink(".", "sub", repository);
      repository.git("clone", "-q", "--bare", ".", ".git/modules/x");
      repository.git("config", "-f", ".git/modules/x/config", "core.bare", "false");
      repository.git("config", "-f", ".git/modules/x/config", "core.worktree", "../../../other");
      repository.put("sub/.git", "gitdir: ../.git/modules/x\n");
      const evil = new GitRepository(join(repository.folder, "other"));
      addGitlink("sub", "repository", evil);
      evil.configure(`[core]\n\tfsmonitor = ${repository.program}\n`);
      return repository.folder;
    },
    names: "core.fsmonitor = ",
  },
  {
    name: "a pointer to the Git directory with many line ends",
    plant: (repository) => {
      repository.configure(`[core]\n\tfsmonitor = ${repository.program}\n`);
      repository.put("tree/.git", `gitdir: ${repository.folder}/.git${"\n".repeat(20_000)}`);
      return join(repository.folder, "tree");
    },
    names: "Couldn't determine what Git would run",
  },
];
