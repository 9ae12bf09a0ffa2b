import { cp, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { countChanges } from "./line-diff.ts";

/** A file as it was: the name of its copy, or null where there was none. */
interface Backup {
  readonly backupFileName: string | null;
  readonly version: number;
  readonly backupTime: string;
}
interface Snapshot {
  readonly messageId: string;
  readonly trackedFileBackups: Record<string, Backup>;
  readonly timestamp: string;
}

export interface RewindAnswer {
  readonly canRewind: boolean;
  readonly error?: string;
  readonly filesChanged?: readonly string[];
  readonly insertions?: number;
  readonly deletions?: number;
}

/**
 * Files as they were when each prompt came, so that a conversation can be rewound with its edits.
 * Copies lie under `file-history/<session>` and every snapshot is a line of the transcript, as
 * Claude Code has them.
 */
export class FileCheckpoints {
  readonly #root: string;
  readonly #folder: string;
  readonly #record: (line: object) => void;
  readonly isEnabled: boolean;
  #snapshots: Snapshot[] = [];

  constructor(options: {
    folder: string;
    store: string;
    isEnabled: boolean;
    record: (line: object) => void;
  }) {
    this.#folder = options.folder;
    this.#root = options.store;
    this.isEnabled = options.isEnabled;
    this.#record = options.record;
  }

  /** What the transcript of a resumed session says. */
  restore(lines: readonly JsonObject[]): void {
    for (const { snapshot } of lines) {
      if (!isSnapshot(snapshot)) continue;
      const at = this.#snapshots.findIndex(({ messageId }) => messageId === snapshot.messageId);
      if (at === -1) this.#snapshots.push(snapshot);
      else this.#snapshots[at] = snapshot;
    }
  }

  /** Copies of another session's come along with its fork. */
  async adopt(store: string): Promise<void> {
    await cp(store, this.#root, { recursive: true, force: false }).catch(() => {});
    for (const snapshot of this.#snapshots) this.#write(snapshot, false);
  }

  /** A prompt begins: every file that was ever touched is kept as it is now. */
  async begin(messageId: string): Promise<void> {
    if (!this.isEnabled) return;
    const before = this.#snapshots.at(-1)?.trackedFileBackups ?? {};
    const trackedFileBackups: Record<string, Backup> = {};
    for (const [name, backup] of Object.entries(before)) {
      const same = equal(await this.#current(name), await this.#kept(backup));
      trackedFileBackups[name] = same ? backup : await this.#backUp(name, backup.version + 1);
    }
    const snapshot = { messageId, trackedFileBackups, timestamp: new Date().toISOString() };
    this.#snapshots.push(snapshot);
    this.#write(snapshot, false);
  }

  /** A tool is about to change a file. */
  async beforeEdit(path: string): Promise<void> {
    const snapshot = this.#snapshots.at(-1);
    if (!this.isEnabled || !snapshot) return;
    const name = this.#nameOf(path);
    if (snapshot.trackedFileBackups[name]) return;
    snapshot.trackedFileBackups[name] = await this.#backUp(name, 1);
    this.#write(snapshot, true);
  }

  /** Puts the files back as they were when that prompt came; `dryRun` only says what would change. */
  async rewind(messageId: string, dryRun: boolean): Promise<RewindAnswer> {
    if (!this.isEnabled) return { canRewind: false, error: "File rewinding is not enabled." };
    const at = this.#snapshots.findLastIndex((snapshot) => snapshot.messageId === messageId);
    if (at === -1) {
      return { canRewind: false, error: "No file checkpoint found for this message." };
    }
    const filesChanged: string[] = [];
    let [insertions, deletions] = [0, 0];
    for (const [name, backup] of this.#stateAt(at)) {
      const [now, then] = [await this.#current(name), await this.#kept(backup)];
      if (equal(now, then)) continue;
      const path = this.#pathOf(name);
      filesChanged.push(path);
      const changes = countChanges(now?.toString("utf8") ?? "", then?.toString("utf8") ?? "");
      insertions += changes.insertions;
      deletions += changes.deletions;
      if (dryRun) continue;
      if (then === undefined) await rm(path, { force: true });
      else {
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, then);
      }
    }
    return { canRewind: true, filesChanged, insertions, deletions };
  }

  /** Every file ever touched: as this snapshot has it, or as it was before the first touch later on. */
  #stateAt(at: number): Map<string, Backup> {
    const state = new Map(Object.entries(this.#snapshots[at]?.trackedFileBackups ?? {}));
    for (const later of this.#snapshots.slice(at + 1)) {
      for (const [name, backup] of Object.entries(later.trackedFileBackups)) {
        if (!state.has(name)) state.set(name, backup);
      }
    }
    return state;
  }

  async #backUp(name: string, version: number): Promise<Backup> {
    const { createHash } = await import("node:crypto");
    const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
    const backupFileName = `${hash}@v${version}`;
    const backupTime = new Date().toISOString();
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      await copyFile(this.#pathOf(name), join(this.#root, backupFileName));
      return { backupFileName, version, backupTime };
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "ENOENT") throw failure;
      return { backupFileName: null, version, backupTime };
    }
  }

  #current(name: string): Promise<Buffer | undefined> {
    return contentOf(this.#pathOf(name));
  }

  #kept({ backupFileName }: Backup): Promise<Buffer | undefined> {
    return backupFileName === null
      ? Promise.resolve(undefined)
      : contentOf(join(this.#root, backupFileName));
  }

  #nameOf(path: string): string {
    const inside = relative(this.#folder, resolve(this.#folder, path));
    return inside.startsWith("..") || isAbsolute(inside) ? path : inside;
  }

  #pathOf(name: string): string {
    return resolve(this.#folder, name);
  }

  #write(snapshot: Snapshot, isSnapshotUpdate: boolean): void {
    const { messageId } = snapshot;
    this.#record({ type: "file-history-snapshot", messageId, snapshot, isSnapshotUpdate });
  }
}

function isSnapshot(value: unknown): value is Snapshot {
  return (
    isObject(value) &&
    typeof value["messageId"] === "string" &&
    isObject(value["trackedFileBackups"])
  );
}

async function contentOf(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}

function equal(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
