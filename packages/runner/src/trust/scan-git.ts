import { readdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { type Finding, makeFinding } from "./finding.ts";
import { type GitPlace, gitPlaces, isFolder } from "./git-places.ts";
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
      this.file(join(folder, "config"));
      this.file(join(folder, "config.worktree"));
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
        if (this.#seen.has(place.own)) continue;
        this.#seen.add(place.own);
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

  file(source: string, depth = 0): void {
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
    for (const setting of parsed.settings) this.#setting(source, setting, depth);
  }

  #setting(source: string, setting: GitSetting, depth: number): void {
    const { key, value = "true" } = setting;
    if (isHarmless(setting) || this.#isOwnCheckout(source, setting)) return;
    if (key === "core.hookspath") {
      const folder = isAbsolute(value) ? value : join(this.#root, value);
      // Hooks inside of the repository run by commands that change it, and those are asked about.
      if (!value.startsWith("~") && this.#isInside(realOrSame(folder))) return this.hook(folder);
    }
    const identity = [key, value, referencedFiles(this.#root, value)];
    this.findings.push(makeFinding("git", source, `${key} = ${value}`, { identity }));
    if (/^include(if\.[^]*)?\.path$/.test(key)) this.#include(source, value, depth);
    else this.settings.push(setting);
  }

  /** A file that the configuration includes counts whatever the condition: a condition can come true later. */
  #include(source: string, value: string, depth: number): void {
    const isPlain =
      !/^(~|%\()/.test(value) && !/\/\.\.(\/|$)/.test(value.replace(/^(\.\.\/)+/, ""));
    const path = isAbsolute(value) ? value : join(dirname(source), value);
    if (!isPlain || !this.#isInside(path)) {
      return this.fail(source, `it includes ${value}, which is not in the repository`);
    }
    if (depth >= MOST_INCLUDES) return this.fail(source, "too many files include each other");
    this.file(path, depth + 1);
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
      for (const file of ["config", "config.worktree"]) this.file(join(inside, file));
      this.hook(join(inside, "hooks"));
      // A name with a slash is a folder in a folder, and a submodule may have its own.
      const isGitFolder = isFolder(join(inside, "objects"));
      this.modules(isGitFolder ? join(inside, "modules") : inside);
    }
  }

  /** The files of a submodule stand elsewhere than beside its Git directory, which says where. */
  #isOwnCheckout(source: string, { key, value = "" }: GitSetting): boolean {
    if (key !== "core.worktree") return false;
    const real = realOrSame(isAbsolute(value) ? value : join(dirname(source), value));
    return real === this.#root || (source.includes("/modules/") && isInsideRoot(this.#root, real));
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

function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
