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

/** Where a frame lies on the disk. */
export interface DiskLocation {
  readonly segment: Segment;
  readonly offset: number;
  readonly length: number;
}

/** One file of a session's. It is deleted when nothing in it is waited for any more. */
export interface Segment {
  readonly path: string;
  readonly number: number;
  size: number;
  waiting: number;
}

/** The files' names say nothing of a session, whatever characters its id has. */
export function getSegmentName(session: string, number: number): string {
  const hash = createHash("sha256").update(session).digest("hex").slice(0, 32);
  return `${hash}-${String(number).padStart(8, "0")}.spill`;
}

/**
 * Frames of one session on the disk, in files that are only appended to. It is a memory for the case
 * that the hub is away and this process dies, not for a power cut: nothing is forced to the disk.
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

  /** Throws when the disk does not take it; then the file is as it was. */
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

  /** The frame's text; undefined: the file is gone or damaged. */
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
      // Gone already: nobody waits for it.
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
    fchmodSync(file, 0o600); // whatever the umask took away
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
