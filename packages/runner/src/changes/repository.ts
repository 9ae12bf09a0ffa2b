import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import {
  decodeStrictly,
  type GitCommand,
  type GitOutput,
  type GitSettings,
  gitLine,
  listHiddenFromGit,
  runGitCommand,
  turnOffPrograms,
} from "@signalbox/host/git";
import {
  createFolderNotAllowed,
  isFolderAllowed,
  resolveAllowedFolder,
} from "../supervise/allowed-folders.ts";
import { resolveFolder } from "../supervise/folders.ts";
import { OrderError } from "../supervise/order-error.ts";
import { UNKNOWN_PROGRAMS } from "../supervise/add-worktree.ts";
import { isHidden } from "./open-visible.ts";
import { requireInside } from "./path-inside.ts";

/** Changes of large repositories take longer than looking at them. */
const TIMEOUT_MS = 120_000;
const BUSY_TRIES = 20;
const BUSY_WAIT_MS = 100;

/** Nothing is started in the background or asked in an editor, and nothing is signed. */
const quietSettings: GitSettings = {
  "gc.auto": "0",
  "maintenance.auto": "false",
  "core.editor": "false",
  "sequence.editor": "false",
  "commit.gpgSign": "false",
  "tag.gpgSign": "false",
  "core.quotePath": "false",
  "advice.detachedHead": "false",
};

interface Place {
  readonly folder: string;
  readonly allowed?: readonly string[] | undefined;
}

type Command = Pick<
  GitCommand,
  "input" | "environment" | "exposed" | "network" | "settings" | "timeoutMs" | "writable"
>;

/** A session's folder in a repository that is about to be changed. */
export class Repository {
  /** The real path of the session's folder. */
  readonly folder: string;
  /** The folder at the top of the work tree. */
  readonly top: string;
  /** The Git directory of this work tree. */
  readonly gitFolder: string;
  /** The Git directory that all worktrees of the repository share. */
  readonly common: string;
  /** What paths in the folder begin with, seen from the top: empty, or ending in `/`. */
  readonly prefix: string;
  readonly #settings: GitSettings;

  constructor(
    paths: Pick<Repository, "folder" | "top" | "gitFolder" | "common" | "prefix">,
    settings: GitSettings,
  ) {
    this.folder = paths.folder;
    this.top = paths.top;
    this.gitFolder = paths.gitFolder;
    this.common = paths.common;
    this.prefix = paths.prefix;
    this.#settings = settings;
  }

  /** Runs a command that may write in the work tree and in the Git directory. Waits while another one does. */
  async tryGit(args: readonly string[], command: Command = {}): Promise<GitOutput> {
    for (let tries = 1; ; tries++) {
      const output = await runGitCommand(this.folder, args, {
        timeoutMs: TIMEOUT_MS,
        writable: [this.top, this.common, this.gitFolder],
        ...command,
        settings: { ...quietSettings, ...this.#settings, ...command.settings },
      });
      const isBusy = output.trouble !== undefined && isLocked(output.trouble);
      if (!isBusy) return output;
      if (tries === BUSY_TRIES) {
        const detail = `Another program is using the repository. Try again when it has finished. Git says: ${output.trouble}`;
        throw new OrderError("repository-busy", detail);
      }
      await Bun.sleep(BUSY_WAIT_MS);
    }
  }

  /** The same for a command that has to succeed. */
  async run(args: readonly string[], command: Command = {}): Promise<Buffer> {
    const { bytes, trouble } = await this.tryGit(args, command);
    if (trouble === undefined) return bytes;
    throw new OrderError("git-failed", `Git failed: ${trouble}`);
  }

  /** The one line that a command prints; undefined if it fails or prints no text. */
  async readLine(args: readonly string[]): Promise<string | undefined> {
    const { bytes, trouble } = await this.tryGit(args);
    const text = trouble === undefined ? decodeStrictly(bytes)?.replace(/\n$/, "") : undefined;
    return text === "" ? undefined : text;
  }

  /** Whether the work tree is around something that is hidden from agents, such as the data folder of Signalbox. */
  get isAroundHidden(): boolean {
    return isHidden(this.top, listHiddenFromGit());
  }

  /** Refuses to write files that are hidden, by their paths from the top: Git does not see everywhere that they are. */
  requireVisibleFromTop(paths: readonly string[]): void {
    const hidden = listHiddenFromGit();
    const path = paths.find((one) => isHidden(join(this.top, one), hidden));
    if (path !== undefined) throw new OrderError("bad-path", `${path} is hidden from sessions.`);
  }

  /** Whether a filter of the repository is set up, which is turned off. */
  get hasFiltersOff(): boolean {
    return this.#filtersOff.length > 0;
  }

  get #filtersOff(): readonly string[] {
    return Object.entries(this.#settings).flatMap(([name, value]) => {
      const filter = /^filter\.([^]*)\.(?:clean|smudge|process)$/.exec(name)?.[1];
      return filter === undefined || value !== "" ? [] : [filter];
    });
  }

  /**
   * Refuses files whose content a filter of the repository would have to change: without it Git would store or
   * write other bytes than the project wants. `paths`: from the session's folder.
   */
  async requireNoFilter(paths: readonly string[]): Promise<void> {
    if (!this.hasFiltersOff || paths.length === 0) return;
    const list = ["--literal-pathspecs", "ls-files", "-z", "--cached", "--others"];
    // A path may be a folder's.
    const below = await this.run([...list, "--exclude-standard", "--", ...paths]);
    await this.#checkAttributes([], `${paths.join("\0")}\0${below.toString()}`);
  }

  /** The same for files of the whole work tree, by their paths from its top. */
  async requireNoFilterFromTop(paths: readonly string[]): Promise<void> {
    if (!this.hasFiltersOff || paths.length === 0) return;
    await this.#checkAttributes(["-C", this.top], paths.join("\0"));
  }

  async #checkAttributes(where: readonly string[], input: string): Promise<void> {
    const off = new Set(this.#filtersOff);
    const args = [...where, "check-attr", "-z", "--stdin", "filter"];
    const printed = await this.run(args, { input });
    const fields = printed.toString().split("\0");
    for (let at = 0; at + 2 < fields.length; at += 3) {
      const [path = "", , filter = ""] = fields.slice(at, at + 3);
      if (!off.has(filter)) continue;
      throw new OrderError(
        "filter-off",
        `${path} is stored through the filter "${filter}" of the repository's own configuration, which Signalbox does not run. Do this in a shell.`,
      );
    }
  }
}

function isLocked(trouble: string): boolean {
  return /\.lock': File exists/.test(trouble);
}

/**
 * Opens the repository of a folder for changes. Throws if there is none that can be changed safely: one whose
 * work tree is elsewhere than its Git directory says, or of which a driver may not use all of it.
 */
export async function openRepository({ folder: named, allowed }: Place): Promise<Repository> {
  const folder = allowed ? resolveAllowedFolder(named, allowed) : await resolveFolder(named);
  const ask = (at: string, ...args: string[]) => gitLine(at, ["rev-parse", ...args]);
  const [top, prefix, gitFolder, common] = await Promise.all([
    ask(folder, "--show-toplevel"),
    ask(folder, "--show-prefix"),
    ask(folder, "--absolute-git-dir"),
    ask(folder, "--path-format=absolute", "--git-common-dir"),
  ]);
  if (!top || prefix === undefined || !gitFolder || !common) {
    throw new OrderError(
      "no-repository",
      "This folder is in no Git repository with files, or its name is not valid UTF-8.",
    );
  }
  // `core.worktree` can name any folder, in which Git would then write.
  const isOwn = join(top, prefix) === (prefix === "" ? folder : `${folder}/`);
  const ofTop = await ask(top, "--absolute-git-dir");
  if (!isOwn || ofTop !== gitFolder || !isPlain(top)) {
    throw new OrderError(
      "no-repository",
      "The repository's configuration names another folder for its files, so nothing is changed here.",
    );
  }
  if (allowed && !isFolderAllowed(top, allowed)) throw createFolderNotAllowed(top, allowed);
  if (!(await isOwnGitFolder({ top, gitFolder, common }))) {
    throw new OrderError(
      "no-repository",
      "The folder's .git leads into the repository of another folder, so nothing is changed here.",
    );
  }
  const off = await turnOffPrograms(folder);
  if (off === undefined) {
    throw new OrderError("no-repository", `Git is not used here, because ${UNKNOWN_PROGRAMS}.`);
  }
  return new Repository({ folder, top, prefix, gitFolder, common }, off);
}

/**
 * Whether a Git directory belongs to this work tree. A `.git` that is a file or a link can lead into any other
 * repository, in which Git would then write. A worktree is known by what its Git directory says of it.
 */
async function isOwnGitFolder({
  top,
  gitFolder,
  common,
}: Pick<Repository, "top" | "gitFolder" | "common">): Promise<boolean> {
  const own = join(top, ".git");
  if (gitFolder !== common) {
    const back = await readFile(join(gitFolder, "gitdir"), "utf8").catch(() => "");
    return resolve(gitFolder, back.replace(/\n$/, "")) === own;
  }
  return gitFolder === own || basename(gitFolder) !== ".git";
}

function isPlain(path: string): boolean {
  try {
    return realpathSync(path) === path;
  } catch {
    return false;
  }
}

/** Paths that a person named, in the form in which Git takes them. */
export function listPaths(
  { folder }: Pick<Repository, "folder">,
  change: { readonly path: string; readonly from?: string | undefined },
): string[] {
  const paths = [change.path, ...(change.from === undefined ? [] : [change.from])];
  const hidden = listHiddenFromGit();
  return paths.map(requireInside).map((path) => {
    if (!isHidden(join(folder, path), hidden)) return path;
    throw new OrderError("bad-path", `${path} is hidden from sessions.`);
  });
}
