import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { authorizedKeys } from "../sandbox/authorized-keys.ts";
import { bubblewrapArguments } from "../sandbox/bubblewrap-arguments.ts";
import { findBubblewrap, systemFolders } from "../sandbox/find-bubblewrap.ts";
import { hiddenPaths } from "../sandbox/hidden-paths.ts";
import { type FolderList, isWithin, resolveFolders } from "../sandbox/paths.ts";

export type GitSettings = Readonly<Record<string, string>>;

/**
 * Git must run nothing that the repository brings along: no hooks, no monitor, no transport, no signature
 * program, and no repository that lies inside of another one's files.
 */
const inert: GitSettings = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.sshCommand": "false",
  "core.pager": "cat",
  "credential.helper": "",
  "diff.external": "",
  "gpg.program": "false",
  "log.showSignature": "false",
  "protocol.allow": "never",
  "safe.bareRepository": "explicit",
  "submodule.recurse": "false",
};

/** The folders that Git's own programs must not see, such as the hub's; undefined: Git is not isolated. */
let hiddenFromGit: FolderList | undefined;
const bubblewrap = { found: undefined as ReturnType<typeof findBubblewrap> | undefined };

/** From now on Git runs inside bubblewrap, where there is one: without a network, and without these folders. */
export function isolateGit(folders: FolderList): void {
  hiddenFromGit = folders;
}

/** Git's program, and the folders in which it looks for further ones, as `PATH` holds them. */
export function findGit(): { path: string; folders: string } {
  const { PATH = "" } = process.env;
  // System folders come first: an agent can put a program of that name into the user's own folders.
  const folders = [...systemFolders, ...PATH.split(delimiter).filter(isAbsolute)];
  const path = folders.map((each) => join(each, "git")).find(isExecutable) ?? "git";
  return { path, folders: [...new Set(folders)].join(delimiter) };
}

/** The variables with which Git runs nothing that the repository brings along; names of filters are for the caller to add. */
export function inertEnvironment(settings: GitSettings = {}): Record<string, string | undefined> {
  return {
    PATH: findGit().folders,
    HOME: process.env["HOME"],
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    LC_ALL: "C",
    ...settingsInEnvironment({ ...inert, ...settings }),
  };
}

/** What Git says; undefined when there is no repository, no Git, or nothing to say. */
export async function git(
  folder: string,
  args: readonly string[],
  settings: GitSettings = {},
): Promise<string | undefined> {
  const { said, trouble } = await askGit(folder, args, settings);
  return trouble === undefined ? said : undefined;
}

/** What Git says, and what it says went wrong. */
export async function askGit(
  folder: string,
  args: readonly string[],
  settings: GitSettings = {},
): Promise<{ said: string; trouble?: string }> {
  const { path: program } = findGit();
  const env = inertEnvironment(settings);
  const around = await isolation(folder);
  const [command = program, ...rest] = [...around, program, "-C", folder, ...args];
  const options = { maxBuffer: 64 << 20, timeout: 30_000, env };
  return new Promise((resolve) => {
    execFile(command, rest, options, (failure, stdout, stderr) => {
      resolve({ said: stdout, ...(failure && { trouble: stderr.trim() || failure.message }) });
    });
  });
}

/**
 * The names of settings of the repository's own that match, over all its files of settings. `everyone`: the
 * person's own and the system's, too.
 */
export async function settingNames(
  folder: string,
  pattern: string,
  everyone = false,
): Promise<string[]> {
  const list = [
    "config",
    "--includes",
    "--show-scope",
    "--name-only",
    "-z",
    "--get-regexp",
    pattern,
  ];
  const parts = ((await git(folder, list)) ?? "").split("\0");
  const names: string[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = "", name = ""] = parts.slice(at, at + 2);
    if (everyone || scope === "local" || scope === "worktree") names.push(name);
  }
  return [...new Set(names)];
}

/** As variables a name may hold whatever it likes; `-c` ends it at the first equals sign. */
export function settingsInEnvironment(settings: GitSettings): Record<string, string> {
  const all = Object.entries(settings);
  const entries = all.flatMap(([name, value], nth) => [
    [`GIT_CONFIG_KEY_${nth}`, name],
    [`GIT_CONFIG_VALUE_${nth}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(entries) };
}

async function isolation(folder: string): Promise<string[]> {
  if (hiddenFromGit === undefined || process.platform !== "linux") return [];
  const { path } = await (bubblewrap.found ??= findBubblewrap());
  if (path === undefined) return [];
  const setup = {
    folder: "/",
    hidden: hiddenPaths(resolveFolders(hiddenFromGit)).filter(
      (hidden) => !isWithin(hidden.path, folder),
    ),
    readable: [],
    readOnly: authorizedKeys(),
    network: false,
    asRoot: process.getuid?.() === 0,
  };
  return [path, ...bubblewrapArguments(setup)];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
