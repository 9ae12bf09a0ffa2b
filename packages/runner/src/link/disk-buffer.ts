import {
  closeSync,
  fchmodSync,
  ftruncateSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { decodeRecord, encodeRecord, type DiskRecord } from "./disk-record.ts";

const SEGMENT_BYTES = 16 * 1024 * 1024;

/** The location of a frame on the disk. */
export interface DiskLocation {
  readonly segment: Segment;
  readonly offset: number;
  readonly length: number;
}

/** One file of a session. It is deleted when none of its frames is needed any more. */
export interface Segment {
  readonly path: string;
  readonly number: number;
  size: number;
  waiting: number;
}

/** The name of a file is a hash, so that any session id is a valid name and is not revealed. */
function getSegmentName(session: string, number: number): string {
  const hash = createHash("sha256").update(session).digest("hex").slice(0, 32);
  return `${hash}-${String(number).padStart(8, "0")}.spill`;
}

/**
 * Frames of one session on the disk, in append-only files. They survive a crash of this process while the hub is
 * unreachable, but not a power failure: nothing is synced to the disk.
 */
export class DiskBuffer {
  readonly #folder: string;
  readonly #session: string;
  #current: Segment | undefined;
  #file: number | undefined;
  #number: number;

  constructor(folder: string, session: string, nextNumber = 1) {
    this.#folder = folder;
    this.#session = session;
    this.#number = nextNumber;
  }

  /** Appends a frame. Throws if the disk cannot be written; the file is unchanged then. */
  append(record: DiskRecord): DiskLocation {
    const bytes = encodeRecord(record);
    const { segment, file } = this.#segment();
    const offset = segment.size;
    try {
      for (let at = 0; at < bytes.length;) {
        at += writeSync(file, bytes, at, bytes.length - at, offset + at);
      }
    } catch (failure) {
      ftruncateSync(file, offset);
      throw failure;
    }
    segment.size += bytes.length;
    segment.waiting += 1;
    return { segment, offset, length: bytes.length };
  }

  /** The text of the frame; undefined if the file is missing or damaged. */
  read({ segment, offset, length }: DiskLocation): string | undefined {
    try {
      const file = openSync(segment.path, "r");
      try {
        const bytes = Buffer.allocUnsafe(length);
        const read = readSync(file, bytes, 0, length, offset);
        return decodeRecord(bytes.subarray(0, read), 0)?.record.text;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  }

  release({ segment }: DiskLocation): void {
    segment.waiting -= 1;
    if (segment.waiting > 0) return;
    if (segment === this.#current) this.#close();
    try {
      unlinkSync(segment.path);
    } catch {
      // The file is gone already.
    }
  }

  #segment(): { segment: Segment; file: number } {
    if (this.#current && this.#current.size >= SEGMENT_BYTES) this.#close();
    if (this.#current && this.#file !== undefined) {
      return { segment: this.#current, file: this.#file };
    }
    const number = this.#number;
    const path = join(this.#folder, getSegmentName(this.#session, number));
    const file = openSync(path, "wx", 0o600);
    fchmodSync(file, 0o600); // regardless of the umask
    this.#number += 1;
    this.#file = file;
    this.#current = { path, number, size: 0, waiting: 0 };
    return { segment: this.#current, file };
  }

  #close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    this.#current = undefined;
  }

  [Symbol.dispose](): void {
    this.#close();
  }
}
