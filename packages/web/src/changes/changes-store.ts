import type { ChangedFile, FileDiff, WorkingChanges } from "@signalbox/api";
import { errorMessage } from "@signalbox/protocol/text";
import { orderFiles } from "./file-tree.ts";
import { type LoadedDiff, loadDiff } from "./loaded-diff.ts";
import { readViewed, storeViewed } from "./viewed-files.ts";

/** The calls by which changes are read. */
interface ChangesReader {
  workingChanges(session: string, against: string): Promise<WorkingChanges>;
  fileDiff(
    session: string,
    query: {
      readonly path: string;
      readonly from?: string;
      readonly against: string;
      readonly context: number;
      readonly whitespace: Whitespace;
    },
  ): Promise<FileDiff>;
}

type Whitespace = "show" | "ignore";

export interface ShownFile {
  readonly file: ChangedFile;
  readonly isOpen: boolean;
  readonly isViewed: boolean;
  /** Unchanged lines around each change. */
  readonly context: number;
  readonly diff: LoadedDiff | undefined;
  /** Why the change could not be loaded. */
  readonly problem: string | undefined;
}

interface ShownChanges {
  readonly against: string;
  /** Undefined until they have been loaded. */
  readonly changes: WorkingChanges | undefined;
  readonly problem: string | undefined;
  /** In the order of the tree. */
  readonly files: readonly ShownFile[];
}

/** Longer changes are folded at first. */
const MAX_OPEN_LINES = 500;
const CONTEXTS = [3, 25, 100_000] as const;
const MAX_LOADING = 4;

/** What has changed in a session's folder, with the changes of the files that are looked at. */
export class ChangesStore {
  readonly #reader: ChangesReader;
  readonly #session: string;
  readonly #listeners = new Set<() => void>();
  #against: string;
  #whitespace: Whitespace = "show";
  #changes: WorkingChanges | undefined;
  #problem: string | undefined;
  #ordered: readonly ChangedFile[] = [];
  #viewed: Readonly<Record<string, string>>;
  readonly #opened = new Map<string, boolean>();
  readonly #contexts = new Map<string, number>();
  readonly #diffs = new Map<string, LoadedDiff>();
  readonly #problems = new Map<string, string>();
  readonly #loading = new Set<string>();
  /** Files whose change was loaded before they changed again. */
  readonly #stale = new Set<string>();
  #visible: readonly string[] = [];
  /** Grows with what is asked for, so that a late answer to something else is not shown. */
  #generation = 0;
  /** The files are to be listed once the changes in sight are loaded. */
  #isListDue = false;
  #listing: "no" | "yes" | "again" = "no";
  #snapshot: ShownChanges;

  constructor(reader: ChangesReader, session: string, against: string) {
    this.#reader = reader;
    this.#session = session;
    this.#against = against;
    this.#viewed = readViewed(session);
    this.#snapshot = this.#createSnapshot();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };
  readonly getSnapshot = (): ShownChanges => this.#snapshot;

  setAgainst(against: string): void {
    if (against === this.#against) return;
    this.#against = against;
    this.#changes = undefined;
    this.#ordered = [];
    this.#contexts.clear();
    this.#restart();
    void this.#list();
  }

  setWhitespace(whitespace: Whitespace): void {
    if (whitespace === this.#whitespace) return;
    this.#whitespace = whitespace;
    this.#restart();
  }

  /** Reads again what has changed. `paths`: only these files, from the session's folder; none: any. */
  refresh(paths?: readonly string[]): void {
    const changed = paths ?? [...this.#diffs.keys()];
    for (const path of changed) {
      if (this.#diffs.has(path) || this.#loading.has(path)) this.#stale.add(path);
      this.#problems.delete(path);
    }
    this.load(this.#visible);
    // The changes in sight come first: the machine would do both at once, and each later.
    if (this.#loading.size === 0) void this.#list();
    else this.#isListDue = true;
  }

  /** Loads the changes of these files, which are in sight, where they are open. */
  load(paths: readonly string[]): void {
    this.#visible = paths;
    for (const path of paths) {
      const shown = this.#snapshot.files.find(({ file }) => file.path === path);
      if (!shown || (!shown.isOpen && this.#viewed[path] === undefined)) continue;
      if (shown.problem !== undefined || shown.file.unreadableName) continue;
      if (this.#diffs.has(path) && !this.#stale.has(path)) continue;
      if (this.#loading.size < MAX_LOADING && !this.#loading.has(path)) void this.#load(shown);
    }
  }

  setOpen(path: string, isOpen: boolean): void {
    this.#opened.set(path, isOpen);
    this.#notify();
  }

  setAllOpen(isOpen: boolean): void {
    for (const { path } of this.#ordered) this.#opened.set(path, isOpen);
    this.#notify();
  }

  /** Shows more unchanged lines of a file. */
  showMoreContext(path: string): void {
    const now = this.#contexts.get(path) ?? CONTEXTS[0];
    const next = CONTEXTS.find((context) => context > now);
    if (next === undefined) return;
    this.#contexts.set(path, next);
    this.#stale.add(path);
    this.#notify();
  }

  setViewed(path: string, isViewed: boolean): void {
    const hash = this.#diffs.get(path)?.hash;
    const { [path]: _, ...others } = this.#viewed;
    // Without its change loaded, the mark holds for the change that is loaded next.
    this.#viewed = isViewed ? { ...others, [path]: hash ?? "" } : others;
    storeViewed(this.#session, this.#viewed);
    this.#opened.set(path, !isViewed);
    this.#notify();
  }

  #restart(): void {
    this.#generation++;
    this.#diffs.clear();
    this.#problems.clear();
    this.#loading.clear();
    this.#stale.clear();
    this.#isListDue = false;
    this.#notify();
  }

  async #list(): Promise<void> {
    if (this.#listing !== "no") {
      this.#listing = "again";
      return;
    }
    this.#listing = "yes";
    const against = this.#against;
    try {
      const changes = await this.#reader.workingChanges(this.#session, against);
      if (against === this.#against) this.#take(changes);
    } catch (failure) {
      if (against === this.#against) this.#problem = errorMessage(failure);
    }
    const isDue = (this.#listing as string) === "again";
    this.#listing = "no";
    this.#notify();
    if (isDue) void this.#list();
  }

  #take(changes: WorkingChanges): void {
    this.#changes = changes;
    this.#problem = undefined;
    const before = new Map(this.#ordered.map((file) => [file.path, file]));
    this.#ordered = changes.repository ? orderFiles(changes.files) : [];
    for (const file of this.#ordered) {
      const known = before.get(file.path);
      if (known && JSON.stringify(known) !== JSON.stringify(file)) this.#stale.add(file.path);
    }
    const paths = new Set(this.#ordered.map(({ path }) => path));
    for (const path of this.#diffs.keys()) if (!paths.has(path)) this.#diffs.delete(path);
  }

  async #load({ file, context }: ShownFile): Promise<void> {
    const { path, from } = file;
    const generation = this.#generation;
    this.#loading.add(path);
    this.#stale.delete(path);
    try {
      const diff = await this.#reader.fileDiff(this.#session, {
        path,
        ...(from !== undefined && { from }),
        against: this.#against,
        context,
        whitespace: this.#whitespace,
      });
      if (generation !== this.#generation) return;
      this.#keep(path, diff);
    } catch (failure) {
      if (generation !== this.#generation) return;
      this.#problems.set(path, errorMessage(failure));
    }
    this.#loading.delete(path);
    this.#notify();
    this.load(this.#visible);
    if (!this.#isListDue || this.#loading.size > 0) return;
    this.#isListDue = false;
    void this.#list();
  }

  #keep(path: string, diff: FileDiff): void {
    const known = this.#diffs.get(path);
    const isSame = known?.kind === "text" && diff.kind === "text" && known.patch === diff.patch;
    if (!isSame) this.#diffs.set(path, loadDiff(path, diff));
    const hash = this.#diffs.get(path)?.hash ?? "";
    const mark = this.#viewed[path];
    if (mark === "") {
      this.#viewed = { ...this.#viewed, [path]: hash };
      storeViewed(this.#session, this.#viewed);
    } else if (mark !== undefined && mark !== hash) {
      this.#opened.delete(path); // It was folded as viewed, and is another change now.
    }
  }

  #isViewed(path: string): boolean {
    const mark = this.#viewed[path];
    const hash = this.#diffs.get(path)?.hash;
    return mark !== undefined && (mark === "" || hash === undefined || mark === hash);
  }

  #createSnapshot(): ShownChanges {
    const files = this.#ordered.map((file): ShownFile => {
      const { path, added, removed, status } = file;
      const isViewed = this.#isViewed(path);
      const isLong = (added ?? 0) + (removed ?? 0) > MAX_OPEN_LINES;
      return {
        file,
        isViewed,
        isOpen: this.#opened.get(path) ?? (!isViewed && !isLong && status !== "deleted"),
        context: this.#contexts.get(path) ?? CONTEXTS[0],
        diff: this.#diffs.get(path),
        problem: this.#problems.get(path),
      };
    });
    return { against: this.#against, changes: this.#changes, problem: this.#problem, files };
  }

  #notify(): void {
    this.#snapshot = this.#createSnapshot();
    for (const listener of this.#listeners) listener();
  }
}

/** Whether more unchanged lines can be shown. */
export function hasMoreContext(context: number): boolean {
  return context < (CONTEXTS.at(-1) ?? 0);
}
