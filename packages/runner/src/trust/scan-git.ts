import { dirname, isAbsolute, join } from "node:path";
import { decodeStrictly } from "@signalbox/host/git";
import { type Finding, createFinding } from "./finding.ts";
import {
  type GitFolder,
  findGitFolders,
  isFolder,
  resolveRealPath,
  resolveGitPath,
} from "./git-folders.ts";
import { isHarmless } from "./harmless-git-settings.ts";
import { listEntries } from "./list-entries.ts";
import { listSubmodules } from "./list-submodules.ts";
import { type GitSetting, parseGitConfig } from "./parse-git-config.ts";
import { isInsideRoot, readInside } from "./read-inside.ts";
import { hashReferencedFiles } from "./referenced-files.ts";

const CONFIG_LIMIT = 1 << 20;
const HOOK_LIMIT = 64 << 10;
const MAX_INCLUDES = 10;
const MAX_MODULES = 200;
/** The only hook that runs for a status of a checkout. */
const STATUS_HOOK = "post-index-change";

/** The findings in the configuration of one Git directory. */
interface GitScan {
  readonly findings: readonly Finding[];
  /** Settings that are not known to be harmless. */
  readonly settings: readonly GitSetting[];
  /** False if something could not be read. */
  readonly isComplete: boolean;
}

/** The Git directory that a configuration file belongs to. */
interface ConfigOwner {
  readonly gitFolder: string;
  /** Whether a folder, by its real path, is the checkout that was scanned for this Git directory. */
  readonly isCheckout: (folder: string) => boolean;
}

/**
 * Scans the configuration of the Git directory of a checkout, of its worktree and of its submodules. Every setting
 * that is not known to be harmless may run a program with any Git command, such as those of Claude Code at its
 * start.
 */
export function scanGit(root: string, place: GitFolder): GitScan {
  const scanner = new GitScanner(root, resolveRealPath(place.common));
  scanner.scanGitFolder(place);
  return scanner;
}

class GitScanner implements GitScan {
  readonly findings: Finding[] = [];
  readonly settings: GitSetting[] = [];
  isComplete = true;
  readonly #root: string;
  readonly #gitFolder: string;
  #moduleCount = 0;
  readonly #seen = new Set<string>();

  constructor(root: string, gitFolder: string) {
    this.#root = root;
    this.#gitFolder = gitFolder;
  }

  scanGitFolder(
    { own: named, common: shared, unreadable }: GitFolder,
    checkout = this.#root,
  ): void {
    const [own, common] = [resolveRealPath(named), resolveRealPath(shared)];
    if (unreadable !== undefined) return this.addUnreadable(named, unreadable);
    // The system reports paths with other bytes as text in which these are replaced.
    if (`${own}${common}`.includes("\uFFFD"))
      return this.addUnreadable(named, "the path of its Git directory is not valid UTF-8");
    for (const folder of new Set([common, own])) {
      this.#scanConfiguration(folder, (path) => path === resolveRealPath(checkout));
    }
    this.scanHook(join(common, "hooks"));
    this.scanModules(join(common, "modules"));
    this.#scanCheckedOutModules(own, checkout);
  }

  /** Scans submodules whose Git directory is in their own folder. */
  #scanCheckedOutModules(gitFolder: string, checkout: string): void {
    // Git would open what could not be read here, and a pipe would hold it up. It cannot be trusted in any case.
    if (!this.isComplete) return;
    const listed = listSubmodules(gitFolder, checkout);
    if (typeof listed === "string") return this.addUnreadable(join(gitFolder, "index"), listed);
    for (const path of listed) {
      const inside = join(checkout, path);
      for (const place of findGitFolders(inside)) {
        // Two folders can use the same Git directory; its submodules are then in both.
        const visit = [place.own, inside].map(resolveRealPath).join("\0");
        if (this.#seen.has(visit)) continue;
        this.#seen.add(visit);
        if (++this.#moduleCount > MAX_MODULES) {
          return this.addUnreadable(checkout, `it contains more than ${MAX_MODULES} submodules`);
        }
        this.scanGitFolder(place, inside);
      }
    }
  }

  addUnreadable(source: string, why: string): void {
    this.isComplete = false;
    this.findings.push(
      createFinding("unreadable", source, `Couldn't determine what Git would run: ${why}.`),
    );
  }

  #scanConfiguration(gitFolder: string, isCheckout: ConfigOwner["isCheckout"]): void {
    const owner = { gitFolder, isCheckout };
    for (const name of ["config", "config.worktree"])
      this.scanConfigFile(join(gitFolder, name), owner);
  }

  scanConfigFile(source: string, owner: ConfigOwner, depth = 0): void {
    const read = this.#read(source, CONFIG_LIMIT);
    if (read.kind === "missing") return;
    if (read.kind === "unreadable") return this.addUnreadable(source, read.why);
    const parsed = parseGitConfig(read.bytes);
    if (parsed.kind === "invalid") return this.addUnreadable(source, parsed.why);
    if (parsed.kind === "missing") {
      // Without Git nothing of it runs. The whole file is shown, in case the agent has its own Git.
      this.isComplete = false;
      this.findings.push(createFinding("git", source, read.text));
      return;
    }
    for (const setting of parsed.settings) this.#scanSetting(source, owner, setting, depth);
  }

  #scanSetting(source: string, owner: ConfigOwner, setting: GitSetting, depth: number): void {
    const { key, value = "true" } = setting;
    if (isHarmless(setting)) return;
    if (key === "core.worktree") {
      const named = resolveGitPath(owner.gitFolder, value);
      if (named === undefined)
        return this.addUnreadable(source, `${key} = ${value} has .. after a name`);
      const checkout = resolveRealPath(named);
      if (owner.isCheckout(checkout)) return;
      // Git looks for the submodules of this repository there.
      if (isInsideRoot(this.#root, checkout))
        this.#scanCheckedOutModules(owner.gitFolder, checkout);
    }
    if (key === "core.hookspath") {
      const folder = isAbsolute(value) ? value : join(this.#root, value);
      // Hooks inside the repository only run for commands that change it, and those need a permission.
      if (!value.startsWith("~") && this.#isInside(resolveRealPath(folder)))
        return this.scanHook(folder);
    }
    const identity = [key, value, hashReferencedFiles(this.#root, value)];
    this.findings.push(createFinding("git", source, `${key} = ${value}`, { identity }));
    if (/^include(if\.[^]*)?\.path$/.test(key)) this.#scanInclude(source, owner, value, depth);
    else this.settings.push(setting);
  }

  /** Scans an included file regardless of its condition, because a condition can become true later. */
  #scanInclude(source: string, owner: ConfigOwner, value: string, depth: number): void {
    const isPlain =
      !/^(~|%\()/.test(value) && !/\/\.\.(\/|$)/.test(value.replace(/^(\.\.\/)+/, ""));
    const path = isAbsolute(value) ? value : join(dirname(source), value);
    if (!isPlain || !this.#isInside(path)) {
      return this.addUnreadable(source, `it includes ${value}, which is not in the repository`);
    }
    if (depth >= MAX_INCLUDES)
      return this.addUnreadable(source, "too many files include each other");
    this.scanConfigFile(path, owner, depth + 1);
  }

  scanHook(folder: string): void {
    const source = join(folder, STATUS_HOOK);
    const read = this.#read(source, HOOK_LIMIT);
    if (read.kind === "missing") return;
    if (read.kind === "unreadable") return this.addUnreadable(source, read.why);
    if (decodeStrictly(read.bytes) === undefined)
      return this.addUnreadable(source, "it contains bytes that are not valid UTF-8");
    const identity = [read.text, hashReferencedFiles(this.#root, read.text)];
    this.findings.push(createFinding("git", source, `${STATUS_HOOK}: ${read.text}`, { identity }));
    this.settings.push({ key: "core.hookspath", value: folder });
  }

  /** Scans the configurations of submodules, which Git uses when it reads their status. */
  scanModules(folder: string): void {
    const names = listFolders(folder);
    if (typeof names === "string") return this.addUnreadable(folder, names);
    for (const name of names) {
      const inside = join(folder, name);
      if (++this.#moduleCount > MAX_MODULES) {
        return this.addUnreadable(folder, `it contains more than ${MAX_MODULES} folders`);
      }
      this.#scanConfiguration(inside, (named) => this.#leadsTo(named, inside));
      this.scanHook(join(inside, "hooks"));
      // A submodule name with a slash is a nested folder, and submodules can have submodules.
      const isGitFolder = isFolder(join(inside, "objects"));
      this.scanModules(isGitFolder ? join(inside, "modules") : inside);
    }
  }

  /** Whether a folder of the repository is a checkout of the submodule with this Git directory. */
  #leadsTo(folder: string, gitFolder: string): boolean {
    const real = resolveRealPath(gitFolder);
    if (folder === real || !isInsideRoot(this.#root, folder)) return false;
    return findGitFolders(folder).some(({ own }) => resolveRealPath(own) === real);
  }

  #isInside(path: string): boolean {
    return isInsideRoot(this.#root, path) || isInsideRoot(this.#gitFolder, path);
  }

  #read(path: string, limit: number) {
    const root = [this.#gitFolder, this.#root].find((each) => isInsideRoot(each, path));
    return readInside(root ?? dirname(path), path, limit); // the directory of a worktree may be in neither
  }
}

/** The names of the folders in a folder, or why they are unknown. */
function listFolders(folder: string): string[] | string {
  try {
    const entries = listEntries(folder).filter(({ path }) => isFolder(path));
    if (entries.some(({ isText }) => !isText)) return "a name in it is not valid UTF-8";
    return entries.map(({ name }) => name);
  } catch {
    return [];
  }
}
