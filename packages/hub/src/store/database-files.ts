import { type BigIntStats, statSync } from "node:fs";

/** A write-ahead log begins with so many bytes, and each of its frames has so many before its page. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
/** The index of the write-ahead log is mapped in blocks of this size; it has at least one. */
const INDEX_BLOCK = 32 * 1024;

interface KnownFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/** What has happened to a file. */
interface FileProblem {
  /** As the end of a sentence. */
  readonly description: string;
  /** The file that was opened is whole, and may get its name back. What was cut is lost. */
  readonly canComeBack: boolean;
}

/**
 * The files of an open database. A process keeps on writing to a file that somebody has deleted, moved or
 * replaced, and what it writes there is lost when it ends: SQLite does not notice. Files are looked at by
 * their names alone and never opened, because closing any descriptor of them would end SQLite's locks.
 */
export class DatabaseFiles {
  readonly #database: string;
  readonly #pageBytes: number;
  readonly #known: readonly KnownFile[];
  #databaseBytes: bigint;

  /** To be called while the database is open in WAL mode, when all three files are there. */
  constructor(database: string, pageBytes: number) {
    this.#database = database;
    this.#pageBytes = pageBytes;
    // The index before the log: to count the log's frames reads the index, which must not have been cut.
    this.#known = [database, `${database}-shm`, `${database}-wal`].map((path) => {
      const { dev, ino } = statSync(path, { bigint: true });
      return { path, device: dev, inode: ino };
    });
    this.#databaseBytes = statSync(database, { bigint: true }).size;
  }

  /** What has happened to the files; undefined: they are as they should be. */
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
    // A checkpoint lets the database grow; nothing of ours makes it smaller.
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
