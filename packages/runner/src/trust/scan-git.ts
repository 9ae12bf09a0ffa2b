import { readdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Finding, makeFinding } from "./finding.ts";
import { type GitPlace, gitPlaces, isFolder, realOrSame, resolvePlain } from "./git-places.ts";
import { isHarmless } from "./harmless-git-settings.ts";
import { listSubmodules } from "./list-submodules.ts";
import { type GitSetting, parseGitConfig } from "./parse-git-config.ts";
import { isInsideRoot, readInside } from "./read-inside.ts";
import { referencedFiles } from "./referenced-files.ts";

const CONFIG_LIMIT = 1 << 20;
const HOOK_LIMIT = 64 << 10;
const MOST_INCLUDES = 10;
const MOST_MODULES = 200;
/** The one hook that runs when Git is only asked for the state of a checkout. */
const READING_HOOK = "post-index-change";

/** What the configuration of one Git directory brings. */
export interface GitScan {
  readonly findings: readonly Finding[];
  /** Settings that are not known to be harmless. */
  readonly settings: readonly GitSetting[];
  /** Whether that is all there is: false where something could not be read. */
  readonly isWhole: boolean;
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
export function scanGit(root: string, place: GitPlace): GitScan {
  const scanner = new GitScanner(root, realOrSame(place.common));
  scanner.place(place);
  return scanner;
}

class GitScanner implements GitScan {
  readonly findings: Finding[] = [];
  readonly settings: GitSetting[] = [];
  isWhole = true;
  readonly #root: string;
  readonly #gitFolder: string;
  #moduleCount = 0;
  readonly #seen = new Set<string>();

  constructor(root: string, gitFolder: string) {
    this.#root = root;
    this.#gitFolder = gitFolder;
  }

  place({ own: named, common: shared, unreadable }: GitPlace, checkout = this.#root): void {
    const [own, common] = [realOrSame(named), realOrSame(shared)];
    if (unreadable !== undefined) return this.fail(named, unreadable);
    for (const folder of new Set([common, own])) {
      this.#configuration(folder, (path) => path === realOrSame(checkout));
    }
    this.hook(join(common, "hooks"));
    this.modules(join(common, "modules"));
    this.#checkedOutModules(own, checkout);
  }

  /** Submodules whose Git directory lies in their own folder, and not in that of the repository. */
  #checkedOutModules(gitFolder: string, checkout: string): void {
    const listed = listSubmodules(gitFolder, checkout);
    if (typeof listed === "string") return this.fail(join(gitFolder, "index"), listed);
    for (const path of listed) {
      const inside = join(checkout, path);
      for (const place of gitPlaces(inside)) {
        // Two folders can lead to one Git directory: its own submodules then lie in both.
        const visit = [place.own, inside].map(realOrSame).join("\0");
        if (this.#seen.has(visit)) continue;
        this.#seen.add(visit);
        if (++this.#moduleCount > MOST_MODULES) {
          return this.fail(checkout, `it holds more than ${MOST_MODULES} submodules`);
        }
        this.place(place, inside);
      }
    }
  }

  fail(source: string, why: string): void {
    this.isWhole = false;
    this.findings.push(
      makeFinding("unreadable", source, `What Git would run is not known: ${why}.`),
    );
  }

  #configuration(gitFolder: string, isCheckout: ConfigOwner["isCheckout"]): void {
    const owner = { gitFolder, isCheckout };
    for (const name of ["config", "config.worktree"]) this.file(join(gitFolder, name), owner);
  }

  file(source: string, owner: ConfigOwner, depth = 0): void {
    const read = this.#read(source, CONFIG_LIMIT);
    if (read.kind === "missing") return;
    if (read.kind === "unreadable") return this.fail(source, read.why);
    const parsed = parseGitConfig(read.bytes);
    if (parsed.kind === "invalid") return this.fail(source, parsed.why);
    if (parsed.kind === "missing") {
      // Without Git nothing of it runs; where an agent has a Git of its own, a person sees all of it.
      this.isWhole = false;
      this.findings.push(makeFinding("git", source, read.text));
      return;
    }
    for (const setting of parsed.settings) this.#setting(source, owner, setting, depth);
  }

  #setting(source: string, owner: ConfigOwner, setting: GitSetting, depth: number): void {
    const { key, value = "true" } = setting;
    if (isHarmless(setting)) return;
    if (key === "core.worktree") {
      const named = resolvePlain(owner.gitFolder, value);
      if (named === undefined) return this.fail(source, `${key} = ${value} has .. after a name`);
      const checkout = realOrSame(named);
      if (owner.isCheckout(checkout)) return;
      // Git looks for this one's submodules there.
      if (isInsideRoot(this.#root, checkout)) this.#checkedOutModules(owner.gitFolder, checkout);
    }
    if (key === "core.hookspath") {
      const folder = isAbsolute(value) ? value : join(this.#root, value);
      // Hooks inside of the repository run by commands that change it, and those are asked about.
      if (!value.startsWith("~") && this.#isInside(realOrSame(folder))) return this.hook(folder);
    }
    const identity = [key, value, referencedFiles(this.#root, value)];
    this.findings.push(makeFinding("git", source, `${key} = ${value}`, { identity }));
    if (/^include(if\.[^]*)?\.path$/.test(key)) this.#include(source, owner, value, depth);
    else this.settings.push(setting);
  }

  /** A file that the configuration includes counts whatever the condition: a condition can come true later. */
  #include(source: string, owner: ConfigOwner, value: string, depth: number): void {
    const isPlain =
      !/^(~|%\()/.test(value) && !/\/\.\.(\/|$)/.test(value.replace(/^(\.\.\/)+/, ""));
    const path = isAbsolute(value) ? value : join(dirname(source), value);
    if (!isPlain || !this.#isInside(path)) {
      return this.fail(source, `it includes ${value}, which is not in the repository`);
    }
    if (depth >= MOST_INCLUDES) return this.fail(source, "too many files include each other");
    this.file(path, owner, depth + 1);
  }

  hook(folder: string): void {
    const source = join(folder, READING_HOOK);
    const read = this.#read(source, HOOK_LIMIT);
    if (read.kind === "missing") return;
    if (read.kind === "unreadable") return this.fail(source, read.why);
    const identity = [read.text, referencedFiles(this.#root, read.text)];
    this.findings.push(makeFinding("git", source, `${READING_HOOK}: ${read.text}`, { identity }));
    this.settings.push({ key: "core.hookspath", value: folder });
  }

  /** Git asks each submodule for its state, by that one's own configuration. */
  modules(folder: string): void {
    for (const name of listFolders(folder)) {
      const inside = join(folder, name);
      if (++this.#moduleCount > MOST_MODULES) {
        return this.fail(folder, `it holds more than ${MOST_MODULES} folders`);
      }
      this.#configuration(inside, (named) => this.#leadsTo(named, inside));
      this.hook(join(inside, "hooks"));
      // A name with a slash is a folder in a folder, and a submodule may have its own.
      const isGitFolder = isFolder(join(inside, "objects"));
      this.modules(isGitFolder ? join(inside, "modules") : inside);
    }
  }

  /** Whether a folder of the repository is a checkout of the submodule with this Git directory. */
  #leadsTo(folder: string, gitFolder: string): boolean {
    const real = realOrSame(gitFolder);
    if (folder === real || !isInsideRoot(this.#root, folder)) return false;
    return gitPlaces(folder).some(({ own }) => realOrSame(own) === real);
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
