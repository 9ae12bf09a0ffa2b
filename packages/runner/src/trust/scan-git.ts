import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Finding, createFinding } from "./finding.ts";
import {
  type GitFolder,
  findGitFolders,
  isFolder,
  resolveRealPath,
  resolveGitPath,
} from "./git-folders.ts";
import { isHarmless } from "./harmless-git-settings.ts";
import { listSubmodules } from "./list-submodules.ts";
import { type GitSetting, parseGitConfig } from "./parse-git-config.ts";
import { isInsideRoot, readInside } from "./read-inside.ts";
import { hashReferencedFiles } from "./referenced-files.ts";

const CONFIG_LIMIT = 1 << 20;
const HOOK_LIMIT = 64 << 10;
const MOST_INCLUDES = 10;
const MOST_MODULES = 200;
/** The one hook that runs when Git is only asked for the state of a checkout. */
const STATUS_HOOK = "post-index-change";

/** What the configuration of one Git directory brings. */
export interface GitScan {
  readonly findings: readonly Finding[];
  /** Settings that are not known to be harmless. */
  readonly settings: readonly GitSetting[];
  /** Whether that is all there is: false where something could not be read. */
  readonly isComplete: boolean;
}

/** The Git directory that a configuration file belongs to. */
interface ConfigOwner {
  readonly gitFolder: string;
  /** Whether a folder, by its real path, is the checkout that was scanned for this Git directory. */
  readonly isCheckout: (folder: string) => boolean;
}

/**
 * Looks at the configuration of a checkout's Git directory, of the worktree and of submodules in it: every
 * setting that is not known to be harmless may run a program as soon as somebody asks Git for anything, as
 * Claude Code does at its start.
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
    for (const folder of new Set([common, own])) {
      this.#scanConfiguration(folder, (path) => path === resolveRealPath(checkout));
    }
    this.scanHook(join(common, "hooks"));
    this.scanModules(join(common, "modules"));
    this.#scanCheckedOutModules(own, checkout);
  }

  /** Submodules whose Git directory lies in their own folder, and not in that of the repository. */
  #scanCheckedOutModules(gitFolder: string, checkout: string): void {
    const listed = listSubmodules(gitFolder, checkout);
    if (typeof listed === "string") return this.addUnreadable(join(gitFolder, "index"), listed);
    for (const path of listed) {
      const inside = join(checkout, path);
      for (const place of findGitFolders(inside)) {
        // Two folders can lead to one Git directory: its own submodules then lie in both.
        const visit = [place.own, inside].map(resolveRealPath).join("\0");
        if (this.#seen.has(visit)) continue;
        this.#seen.add(visit);
        if (++this.#moduleCount > MOST_MODULES) {
          return this.addUnreadable(checkout, `it holds more than ${MOST_MODULES} submodules`);
        }
        this.scanGitFolder(place, inside);
      }
    }
  }

  addUnreadable(source: string, why: string): void {
    this.isComplete = false;
    this.findings.push(
      createFinding("unreadable", source, `What Git would run is not known: ${why}.`),
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
      // Without Git nothing of it runs; where an agent has a Git of its own, a person sees all of it.
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
      // Git looks for this one's submodules there.
      if (isInsideRoot(this.#root, checkout))
        this.#scanCheckedOutModules(owner.gitFolder, checkout);
    }
    if (key === "core.hookspath") {
      const folder = isAbsolute(value) ? value : join(this.#root, value);
      // Hooks inside of the repository run by commands that change it, and those are asked about.
      if (!value.startsWith("~") && this.#isInside(resolveRealPath(folder)))
        return this.scanHook(folder);
    }
    const identity = [key, value, hashReferencedFiles(this.#root, value)];
    this.findings.push(createFinding("git", source, `${key} = ${value}`, { identity }));
    if (/^include(if\.[^]*)?\.path$/.test(key)) this.#scanInclude(source, owner, value, depth);
    else this.settings.push(setting);
  }

  /** A file that the configuration includes counts whatever the condition: a condition can come true later. */
  #scanInclude(source: string, owner: ConfigOwner, value: string, depth: number): void {
    const isPlain =
      !/^(~|%\()/.test(value) && !/\/\.\.(\/|$)/.test(value.replace(/^(\.\.\/)+/, ""));
    const path = isAbsolute(value) ? value : join(dirname(source), value);
    if (!isPlain || !this.#isInside(path)) {
      return this.addUnreadable(source, `it includes ${value}, which is not in the repository`);
    }
    if (depth >= MOST_INCLUDES)
      return this.addUnreadable(source, "too many files include each other");
    this.scanConfigFile(path, owner, depth + 1);
  }

  scanHook(folder: string): void {
    const source = join(folder, STATUS_HOOK);
    const read = this.#read(source, HOOK_LIMIT);
    if (read.kind === "missing") return;
    if (read.kind === "unreadable") return this.addUnreadable(source, read.why);
    const identity = [read.text, hashReferencedFiles(this.#root, read.text)];
    this.findings.push(createFinding("git", source, `${STATUS_HOOK}: ${read.text}`, { identity }));
    this.settings.push({ key: "core.hookspath", value: folder });
  }

  /** Git asks each submodule for its state, by that one's own configuration. */
  scanModules(folder: string): void {
    for (const name of listFolders(folder)) {
      const inside = join(folder, name);
      if (++this.#moduleCount > MOST_MODULES) {
        return this.addUnreadable(folder, `it holds more than ${MOST_MODULES} folders`);
      }
      this.#scanConfiguration(inside, (named) => this.#leadsTo(named, inside));
      this.scanHook(join(inside, "hooks"));
      // A name with a slash is a folder in a folder, and a submodule may have its own.
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
    return readInside(root ?? dirname(path), path, limit); // a worktree's own may lie in neither
  }
}

function listFolders(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => isFolder(join(folder, name)));
  } catch {
    return [];
  }
}
