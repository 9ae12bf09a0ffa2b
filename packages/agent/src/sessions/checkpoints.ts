import { cp, copyFile, lstat, mkdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isObject, type JsonObject } from "@signalbox/protocol/wire";
import { countChanges } from "./line-diff.ts";

/** A stored file: the name of its copy, or null if the file did not exist. */
interface Backup {
  readonly backupFileName: string | null;
  readonly version: number;
  readonly backupTime: string;
  /** The real path of its folder: a link in its place is not followed when the file is restored. */
  readonly realParentDir?: string;
}
interface Snapshot {
  readonly messageId: string;
  readonly trackedFileBackups: Record<string, Backup>;
  readonly timestamp: string;
}

interface RewindAnswer {
  readonly canRewind: boolean;
  readonly error?: string;
  readonly filesChanged?: readonly string[];
  readonly insertions?: number;
  readonly deletions?: number;
  /**
   * Paths that are left alone, because they are links or folders now, have other names, or lie
   * behind a link.
   */
  readonly skippedLinks?: number;
}

/**
 * Stores files as they were at each prompt, so that a conversation can be rewound together with its
 * edits. As in Claude Code, copies are in `file-history/<session>` and every snapshot is a line of
 * the transcript.
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

  /** Loads the snapshots from the transcript of a resumed session. */
  restore(lines: readonly JsonObject[]): void {
    for (const line of lines) {
      if (line["type"] === "file-history-delta") this.#restoreDelta(line);
      const { snapshot } = line;
      if (!isSnapshot(snapshot)) continue;
      const at = this.#snapshots.findIndex(({ messageId }) => messageId === snapshot.messageId);
      if (at === -1) this.#snapshots.push(snapshot);
      else this.#snapshots[at] = snapshot;
    }
  }

  /**
   * Restores from the line that Claude Code writes for each file that it changes after the prompt.
   */
  #restoreDelta({ snapshotMessageId, trackingPath, backup }: JsonObject): void {
    const snapshot = this.#snapshots.findLast(({ messageId }) => messageId === snapshotMessageId);
    if (!snapshot || typeof trackingPath !== "string" || !isBackup(backup)) return;
    snapshot.trackedFileBackups[trackingPath] ??= backup;
  }

  /** Takes the copies of the original session along when a session is forked. */
  async adopt(store: string): Promise<void> {
    await cp(store, this.#root, { recursive: true, force: false }).catch(() => {});
    for (const snapshot of this.#snapshots) this.#write(snapshot, false);
  }

  /** Begins a prompt: stores the current state of every file that was ever changed. */
  async begin(messageId: string): Promise<void> {
    if (!this.isEnabled) return;
    const before = this.#snapshots.at(-1)?.trackedFileBackups ?? {};
    const trackedFileBackups: Record<string, Backup> = {};
    for (const [name, backup] of Object.entries(before)) {
      const content = await this.#readBackup(backup);
      const same = content !== LOST && areEqual(await this.#current(name), content);
      trackedFileBackups[name] = same ? backup : await this.#backUp(name, backup.version + 1);
    }
    const snapshot = { messageId, trackedFileBackups, timestamp: new Date().toISOString() };
    this.#snapshots.push(snapshot);
    this.#write(snapshot, false);
  }

  /** Stores a file that a tool is about to change. */
  async beforeEdit(path: string): Promise<void> {
    const snapshot = this.#snapshots.at(-1);
    if (!this.isEnabled || !snapshot) return;
    const name = this.#toRelativeName(path);
    if (snapshot.trackedFileBackups[name]) return;
    snapshot.trackedFileBackups[name] = await this.#backUp(name, 1);
    this.#write(snapshot, true);
  }

  /** Restores the files as they were at the prompt; `dryRun` only reports what would change. */
  async rewind(messageId: string, dryRun: boolean): Promise<RewindAnswer> {
    if (!this.isEnabled) return { canRewind: false, error: "File rewinding is not enabled." };
    const at = this.#snapshots.findLastIndex((snapshot) => snapshot.messageId === messageId);
    if (at === -1) {
      return { canRewind: false, error: "No file checkpoint found for this message." };
    }
    const filesChanged: string[] = [];
    let [insertions, deletions, failed, skippedLinks] = [0, 0, 0, 0];
    for (const [name, backup] of this.#getFilesAt(at)) {
      const path = this.#resolvePath(name);
      if (!dryRun && (await wasReplaced(path, backup))) {
        skippedLinks++;
        continue;
      }
      const now = await this.#current(name);
      const content = await this.#readBackup(backup);
      if (content !== LOST && areEqual(now, content)) continue;
      if (!dryRun && (await putBack(path, content)) === "failed") {
        failed++;
        continue;
      }
      filesChanged.push(path);
      const then = content === LOST ? undefined : content;
      const changes = await countChanges(now?.toString("utf8") ?? "", then?.toString("utf8") ?? "");
      insertions += changes.insertions;
      deletions += changes.deletions;
    }
    if (failed > 0 && filesChanged.length === 0) {
      return { canRewind: false, error: describeNothingRestored(failed, skippedLinks) };
    }
    return { canRewind: true, filesChanged, insertions, deletions, skippedLinks };
  }

  /**
   * Collects every file that was ever changed: as in this snapshot, or as it was before its first
   * later change.
   */
  #getFilesAt(at: number): Map<string, Backup> {
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
    const realParentDir = await realFolder(this.#resolvePath(name));
    const about = {
      version,
      backupTime: new Date().toISOString(),
      ...(realParentDir !== undefined && { realParentDir }),
    };
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      await copyFile(this.#resolvePath(name), join(this.#root, backupFileName));
      return { backupFileName, ...about };
    } catch (failure) {
      if (!noFile.has((failure as NodeJS.ErrnoException).code ?? "")) throw failure;
      return { backupFileName: null, ...about };
    }
  }

  #current(name: string): Promise<Buffer | undefined> {
    return getContent(this.#resolvePath(name));
  }

  /**
   * Reads a copy. If the copy is missing, nothing is known about the file; in particular it does
   * not mean that there was no file.
   */
  async #readBackup({ backupFileName: name }: Backup): Promise<Buffer | undefined | typeof LOST> {
    if (name === null) return undefined;
    if (!COPY_NAME.test(name)) return LOST;
    return (await getContent(join(this.#root, name))) ?? LOST;
  }

  #toRelativeName(path: string): string {
    const inside = relative(this.#folder, resolve(this.#folder, path));
    return inside.startsWith("..") || isAbsolute(inside) ? path : inside;
  }

  #resolvePath(name: string): string {
    return resolve(this.#folder, name);
  }

  #write(snapshot: Snapshot, isSnapshotUpdate: boolean): void {
    const { messageId } = snapshot;
    this.#record({ type: "file-history-snapshot", messageId, snapshot, isSnapshotUpdate });
  }
}

/**
 * Error codes for a path that does not exist, is a folder, or has a file in place of its folder.
 */
const noFile = new Set(["ENOENT", "EISDIR", "ENOTSUP", "ENOTDIR"]);
const LOST = Symbol("the copy is gone");
const COPY_NAME = /^[0-9a-f]{16}@v\d+$/;

function describeNothingRestored(failed: number, skipped: number): string {
  const files = failed === 1 ? "file" : "files";
  const links =
    skipped === 0
      ? ""
      : `, and ${skipped} ${skipped === 1 ? "path was" : "paths were"} skipped for link safety`;
  return `Failed to rewind: No files were restored: ${failed} ${files} failed (backup missing, or the file could not be updated)${links}`;
}

async function putBack(
  path: string,
  content: Buffer | undefined | typeof LOST,
): Promise<"done" | "failed"> {
  if (content === LOST) return "failed";
  try {
    if (content === undefined) await rm(path, { force: true });
    else {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
    }
    return "done";
  } catch {
    return "failed";
  }
}

/** Whether the path is no longer a regular file, or its folder is another than it was. */
async function wasReplaced(path: string, { realParentDir }: Backup): Promise<boolean> {
  const entry = await lstat(path).catch(() => undefined);
  if (entry && (!entry.isFile() || entry.nlink > 1)) return true;
  const folder = await realFolder(path);
  return folder !== undefined && realParentDir !== undefined && folder !== realParentDir;
}

function realFolder(path: string): Promise<string | undefined> {
  return realpath(dirname(path)).catch(() => undefined);
}

function isBackup(value: unknown): value is Backup {
  return (
    isObject(value) &&
    (value["backupFileName"] === null || typeof value["backupFileName"] === "string") &&
    typeof value["version"] === "number"
  );
}

function isSnapshot(value: unknown): value is Snapshot {
  return (
    isObject(value) &&
    typeof value["messageId"] === "string" &&
    isObject(value["trackedFileBackups"]) &&
    Object.values(value["trackedFileBackups"]).every(isBackup)
  );
}

async function getContent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (failure) {
    const isFolder = (failure as NodeJS.ErrnoException).code === "EISDIR";
    return isFolder ? Buffer.alloc(0) : undefined;
  }
}

function areEqual(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
