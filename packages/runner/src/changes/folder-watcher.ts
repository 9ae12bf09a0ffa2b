import { type FSWatcher, watch } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { gitLine, runGit, runGitCommand } from "@signalbox/host/git";
import { readSafeSettings } from "./comparison.ts";

/** How a change of a folder is reported: the files, from the folder; undefined: any of them. */
type OnFolderChanged = (paths: readonly string[] | undefined) => void;

interface WatcherLimits {
  readonly directories: number;
  /** How long it waits for further changes after the first. */
  readonly settleMs: number;
  /** The shortest time between two reports. */
  readonly pauseMs: number;
  /** How often a folder is looked at that has more directories. */
  readonly pollMs: number;
}

const defaultLimits: WatcherLimits = {
  directories: 8192,
  settleMs: 5,
  pauseMs: 120,
  pollMs: 4000,
};

/** With more changed files the report says only that something has changed. */
const MAX_PATHS = 200;
const MAX_KNOWN = 20_000;
/** Files of Git's own that change when something is staged, committed or checked out. */
const gitFiles = /^(?:index|HEAD|packed-refs|[A-Z_]+_HEAD)$/;

/**
 * Reports changes of the files of a folder that Git does not ignore, and of the index and the branch. It watches
 * each directory; what is ignored, such as installed packages, costs nothing. A folder with too many directories
 * is looked at every few seconds.
 */
export class FolderWatcher {
  readonly #folder: string;
  readonly #onChanged: OnFolderChanged;
  readonly #limits: WatcherLimits;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Whether a path is ignored, of paths that were looked at. */
  readonly #ignored = new Map<string, boolean>();
  #ignoredFolders: ReadonlySet<string> = new Set();
  #pending = new Set<string>();
  #isAnyPending = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reportedAt = 0;
  #poll: ReturnType<typeof setInterval> | undefined;
  #polled = "";
  #isClosed = false;

  constructor(folder: string, onChanged: OnFolderChanged, limits: Partial<WatcherLimits> = {}) {
    this.#folder = folder;
    this.#onChanged = onChanged;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** The number of directories that are watched. */
  get size(): number {
    return this.#watchers.size;
  }

  /** Begins to watch, and reports once when it has begun: until then changes may have been missed. */
  async start(): Promise<void> {
    const gitFolder = await gitLine(this.#folder, ["rev-parse", "--absolute-git-dir"]);
    if (gitFolder === undefined) {
      this.#watchDirectory(this.#folder); // A repository may be made here.
      return;
    }
    this.#ignoredFolders = await this.#listIgnored();
    this.#watchGit(gitFolder);
    const isWhole = await this.#watchBelow(this.#folder);
    if (!isWhole) this.#startPolling();
    this.#isAnyPending = true;
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#poll);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watchGit(gitFolder: string): void {
    for (const folder of [gitFolder, join(gitFolder, "refs/heads"), join(gitFolder, "logs")]) {
      const isTop = folder === gitFolder;
      this.#open(folder, (name) => {
        if (isTop && !gitFiles.test(name)) return;
        this.#isAnyPending = true;
        this.#schedule();
      });
    }
  }

  /** Watches a directory and all below it. Returns false if there are too many. */
  async #watchBelow(top: string): Promise<boolean> {
    const waiting = [top];
    for (let at = 0; at < waiting.length; at++) {
      if (this.#isClosed) return true;
      if (this.#watchers.size >= this.#limits.directories) return false;
      const folder = waiting[at] ?? top;
      if (!this.#watchDirectory(folder)) return false;
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (!entry.isDirectory() || entry.name === ".git") continue;
        const path = join(folder, entry.name);
        if (!this.#ignoredFolders.has(relative(this.#folder, path))) waiting.push(path);
      }
    }
    return true;
  }

  #watchDirectory(folder: string): boolean {
    return this.#open(folder, (name) => {
      const path = relative(this.#folder, join(folder, name));
      if (name === ".git" && folder === this.#folder) this.#isAnyPending = true;
      else if (path.startsWith(".git/") || name.startsWith(".signalbox-")) return;
      else this.#pending.add(path);
      if (name === ".gitignore") this.#ignored.clear();
      this.#schedule();
    });
  }

  /** Returns false if the system allows no further watches. A directory that is gone is no trouble. */
  #open(folder: string, onName: (name: string) => void): boolean {
    if (this.#watchers.has(folder) || this.#isClosed) return true;
    try {
      const watcher = watch(folder, (_, name) => name !== null && onName(name));
      watcher.on("error", () => this.#forget(folder));
      this.#watchers.set(folder, watcher);
      return true;
    } catch (failure) {
      const { code } = failure as NodeJS.ErrnoException;
      return code === "ENOENT" || code === "ENOTDIR" || code === "EACCES";
    }
  }

  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }

  /** Reports soon, and not again before a pause is over: a build changes files all the time. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    const { settleMs, pauseMs } = this.#limits;
    const waitMs = Math.max(settleMs, this.#reportedAt + pauseMs - performance.now());
    this.#timer = setTimeout(() => void this.#report(), waitMs);
  }

  async #report(): Promise<void> {
    const paths = [...this.#pending];
    const isAny = this.#isAnyPending || paths.length > MAX_PATHS;
    this.#pending = new Set();
    this.#isAnyPending = false;
    const visible = isAny ? [] : await this.#listVisible(paths);
    if (visible.length > 0 || isAny) {
      if (this.#isClosed) return;
      this.#reportedAt = performance.now();
      this.#onChanged(isAny ? undefined : visible);
    }
    this.#timer = undefined;
    await this.#followDirectories(isAny ? paths : visible);
    if (this.#pending.size > 0 || this.#isAnyPending) this.#schedule();
  }

  /** Those of some paths that Git does not ignore. */
  async #listVisible(paths: readonly string[]): Promise<string[]> {
    const unknown = paths.filter((path) => !this.#ignored.has(path));
    if (unknown.length > 0) {
      const list = ["check-ignore", "-z", "--stdin"];
      const input = unknown.join("\0");
      const { bytes } = await runGitCommand(this.#folder, list, { input });
      const ignored = new Set(bytes.toString().split("\0"));
      if (this.#ignored.size > MAX_KNOWN) this.#ignored.clear();
      for (const path of unknown) this.#ignored.set(path, ignored.has(path));
    }
    return paths.filter((path) => this.#ignored.get(path) !== true);
  }

  /** Watches directories that are new, and forgets those that are gone. */
  async #followDirectories(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const place = join(this.#folder, path);
      const stats = await lstat(place).catch(() => undefined);
      if (!stats && this.#watchers.has(place)) this.#forget(place);
      if (!stats?.isDirectory() || this.#watchers.has(place)) continue;
      if (!(await this.#watchBelow(place))) this.#startPolling();
      this.#isAnyPending = true; // Files may have been made in it before it was watched.
    }
  }

  /** The directories that Git ignores, such as those of installed packages. */
  async #listIgnored(): Promise<ReadonlySet<string>> {
    const list = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"];
    const { bytes } = await runGit(this.#folder, list);
    const names = bytes.toString().split("\0");
    return new Set(names.flatMap((name) => (name.endsWith("/") ? [name.slice(0, -1)] : [])));
  }

  #startPolling(): void {
    this.#poll ??= setInterval(() => void this.#look(), this.#limits.pollMs);
  }

  async #look(): Promise<void> {
    const list = ["status", "--porcelain", "-z", "--no-renames", "--ignore-submodules=dirty"];
    const settings = await readSafeSettings(this.#folder);
    if (settings === undefined) return;
    const { bytes } = await runGit(this.#folder, list, settings);
    const names = bytes.toString().split("\0").slice(0, MAX_PATHS);
    const times = await Promise.all(
      names.map((name) =>
        lstat(join(this.#folder, name.slice(3))).then(
          ({ mtimeMs }) => mtimeMs,
          () => 0,
        ),
      ),
    );
    const polled = `${bytes.toString("latin1")}${times.join(" ")}`;
    if (polled === this.#polled) return;
    this.#polled = polled;
    this.#isAnyPending = true;
    this.#schedule();
  }
}
