import { type BigIntStats, statSync } from "node:fs";

/** The sizes of the header of a write-ahead log and of each frame's header. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** The index of the write-ahead log is mapped in blocks of this size, at least one. */
const INDEX_BLOCK = 32 * 1024;

interface KnownFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** A change of a file from outside. */
interface FileProblem {
  /** A description as the end of a sentence. */
  readonly description: string;
  /**
   * Whether the opened file is complete and may get its name back. A truncated file has lost data.
   */
  readonly canComeBack: boolean;
}

/**
 * Watches the files of an open database. If a file is deleted, moved or replaced, a process
 * continues to write to it, and the data is lost when the process ends: SQLite does not notice.
 * Files are checked by name and never opened, because closing any descriptor of them would release
 * SQLite's locks.
 */
export class DatabaseFiles {
  readonly #database: string;
  readonly #pageBytes: number;
  readonly #known: readonly KnownFile[];
  #databaseBytes: bigint;

  /** Call this while the database is open in WAL mode and all three files exist. */
  constructor(database: string, pageBytes: number) {
    this.#database = database;
    this.#pageBytes = pageBytes;
    // The index is checked before the log, because counting the log's frames reads the index, which
    // must not be truncated.
    this.#known = [database, `${database}-shm`, `${database}-wal`].map((path) => {
      const { dev, ino } = statSync(path, { bigint: true });
      return { path, device: dev, inode: ino };
    });
    this.#databaseBytes = statSync(database, { bigint: true }).size;
  }

  /** Returns what has happened to the files, or undefined if nothing has. */
  findProblem(logFrames: () => number): FileProblem | undefined {
    for (const known of this.#known) {
      const found = statSync(known.path, { bigint: true, throwIfNoEntry: false });
      const isGone = { description: `${known.path} was deleted or moved away`, canComeBack: true };
      const problem = found ? this.#compare(known, found, logFrames) : isGone;
      if (problem) return problem;
    }
    return undefined;
  }

  #compare(known: KnownFile, found: BigIntStats, logFrames: () => number): FileProblem | undefined {
    if (found.dev !== known.device || found.ino !== known.inode) {
      return { description: `${known.path} was replaced by another file`, canComeBack: true };
    }
    const least = this.#leastBytes(known.path, logFrames);
    if (found.size < least) {
      const description = `${known.path} was truncated from at least ${least} to ${found.size} bytes`;
      return { description, canComeBack: false };
    }
    // A checkpoint makes the database grow; this program never makes it smaller.
    if (known.path === this.#database) this.#databaseBytes = found.size;
    return undefined;
  }

  #leastBytes(path: string, logFrames: () => number): bigint {
    if (path === this.#database) return this.#databaseBytes;
    if (path.endsWith("-shm")) return BigInt(INDEX_BLOCK);
    const frames = logFrames();
    return frames === 0 ? 0n : BigInt(LOG_HEADER + frames * (FRAME_HEADER + this.#pageBytes));
  }
}
